import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { removeRule } from "./remove-rule.ts";

const FILE = `{
  // Mine.
  "permissions": {
    "allow": [
      "Bash(a)", // first
      "Bash(b), Bash(c)",
      "Bash(d)",
      "Bash(a)"
    ],
    "ask": "Bash(a), Bash(e)",
    "rules": [{ "rule": "Bash(f)", "behavior": "allow" }, { "rule": "Bash(g)", "behavior": "deny" }]
  }
}
`;

function left(behavior: "allow" | "ask" | "deny", rule: string): unknown {
  const text = removeRule(FILE, behavior, rule);
  return text === undefined ? undefined : (parse(text) as { permissions: unknown }).permissions;
}

describe("removeRule", () => {
  it("leaves an empty list of a string that was the whole list", () => {
    const text = (list: string) => `{"permissions":{"ask":${list}}}`;
    expect(removeRule(text('"Bash(a)"'), "ask", "Bash(a)")).toBe(text("[]"));
    expect(removeRule(text('"Bash(a), Bash(b)"'), "ask", "Bash(a)")).toBe(text('"Bash(b)"'));
  });

  it("takes an entry out, wherever it stands, and leaves the rest as it was", () => {
    expect(left("allow", "Bash(a)")).toMatchObject({ allow: ["Bash(b), Bash(c)", "Bash(d)"] });
    expect(left("allow", "Bash(d)")).toMatchObject({ allow: ["Bash(a)", "Bash(b), Bash(c)", "Bash(a)"] });
    const text = removeRule(FILE, "allow", "Bash(d)") ?? "";
    expect(text).toContain("// Mine.");
    expect(text).toContain('"Bash(a)", // first\n      "Bash(b), Bash(c)",\n');
  });

  it("takes it out of a string that joins several", () => {
    expect(left("allow", "Bash(c)")).toMatchObject({ allow: ["Bash(a)", "Bash(b)", "Bash(d)", "Bash(a)"] });
    expect(left("ask", "Bash(a)")).toMatchObject({ ask: "Bash(e)" });
    expect(left("ask", "Bash(a), Bash(e)")).toMatchObject({ ask: [] });
  });

  it("keeps remarks of other entries, and takes its own along", () => {
    const text = '{\n  "allow": [\n    "a", // of a\n    // of b\n    "b" // b itself\n  ]\n}\n';
    expect(removeRule(text, "allow", "b")).toBe('{\n  "allow": [\n    "a" // of a\n    // of b\n  ]\n}\n');
    expect(removeRule(text, "allow", "a")).toBe(
      '{\n  "allow": [\n    // of b\n    "b" // b itself\n  ]\n}\n',
    );
    for (const [list, left] of [
      ['["a", "b",]', '["b",]'],
      ['["b", "a",]', '["b", ]'],
      ['["b", "a"]', '["b" ]'],
      ['["a",]', "[]"],
      ['["a"]', "[]"],
      ['[/* , */ "a" /* , */, "b"]', '[/* , */ "b"]'],
    ]) {
      expect(removeRule(`{"allow": ${list}}`, "allow", "a")).toBe(`{"allow": ${left}}`);
    }
  });

  it("takes it out of lists at the root and keys that stand twice", () => {
    const text = '{"allow": ["a", "b"], "permissions": {"allow": ["a"], "allow": [{"rule": "a"}, "c"]}}';
    expect(parse(removeRule(text, "allow", "a") ?? "")).toEqual({
      allow: ["b"],
      permissions: { allow: ["c"] },
    });
  });

  it("takes rule objects out whole", () => {
    expect(left("allow", "Bash(f)")).toMatchObject({ rules: [{ rule: "Bash(g)", behavior: "deny" }] });
  });

  it("says so where the rule is not there", () => {
    expect(left("deny", "Bash(f)")).toBeUndefined();
    expect(left("allow", "Bash(z)")).toBeUndefined();
    expect(removeRule("{", "allow", "x")).toBeUndefined();
    expect(removeRule("", "allow", "x")).toBeUndefined();
    expect(removeRule('{"permissions":{"ask":""}}', "ask", "")).toBeUndefined();
  });
});
