import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { editRules, type RuleEdit } from "./edit-rules.ts";

const FILE = `{
  // What nobody does here.
  "permissions": {
    "deny": [
      "Bash(git push :* )", // not even by hand
      "Read(/home/me/x)"
    ],
    "allow": ["Bash(ls)",   "Bash(git log:*), Bash(cat :*)"],
    "rules": [{ "rule": "Bash(do)", "behavior": "ask", "reason": "why" }],
  },
  "model": "x",
}
`;

function edit(behavior: RuleEdit["behavior"], rule: string, write: string, how: RuleEdit["how"]): RuleEdit {
  return { behavior, rule, write, how };
}

describe("editRules", () => {
  it("changes the rule and nothing else", () => {
    const change = edit("deny", "Bash(git push :* )", "Bash(git push:*)", "replace");
    const { text, done } = editRules(FILE, [change]);
    expect(text).toBe(FILE.replace("git push :* ", "git push:*"));
    expect(done).toEqual([change]);
  });

  it("adds beside a rule, on a line of its own where that one has one", () => {
    const { text } = editRules(FILE, [
      edit("deny", "Read(/home/me/x)", "Read(//home/me/x)", "add"),
      edit("deny", "Bash(git push :* )", "Bash(a)", "add"),
      edit("allow", "Bash(ls)", 'Bash(echo "x")', "add"),
    ]);
    expect(text).toContain('      "Read(/home/me/x)",\n      "Read(//home/me/x)"\n    ]');
    expect(text).toContain('      "Bash(a)",\n      "Bash(git push :* )", // not even by hand\n');
    expect(text).toContain('["Bash(ls)", "Bash(echo \\"x\\")",   "Bash(git log');
  });

  it("reaches strings that join several rules, and rule objects", () => {
    const { text } = editRules(FILE, [
      edit("allow", "Bash(cat :*)", "Bash(cat:*)", "replace"),
      edit("ask", "Bash(do)", "Bash(done)", "replace"),
    ]);
    expect(parse(text)).toMatchObject({
      permissions: {
        allow: ["Bash(ls)", "Bash(git log:*),Bash(cat:*)"],
        rules: [{ rule: "Bash(done)", behavior: "ask", reason: "why" }],
      },
    });
  });

  it("reaches lists at the root, objects in a list, and keys that stand twice", () => {
    const text =
      '\uFEFF{"deny": ["a"], "permissions": {"deny": [{"rule": "a", "reason": "x"}], "deny": ["a"]}}';
    expect(editRules(text, [edit("deny", "a", "b", "replace")]).text).toBe(text.replaceAll('"a"', '"b"'));
  });

  it("keeps Windows line ends", () => {
    const { text } = editRules(FILE.replaceAll("\n", "\r\n"), [
      edit("deny", "Read(/home/me/x)", "Read(//home/me/x)", "add"),
    ]);
    expect(text).toContain('"Read(/home/me/x)",\r\n      "Read(//home/me/x)"\r\n');
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("leaves alone what it does not find, another list, and what is no JSON", () => {
    const change = edit("ask", "Bash(git push :* )", "x", "replace");
    expect(editRules(FILE, [change])).toEqual({ text: FILE, done: [] });
    expect(editRules('{"permissions": {"ask": ["a"', [edit("ask", "a", "b", "replace")])).toEqual({
      text: '{"permissions": {"ask": ["a"',
      done: [],
    });
    expect(editRules("", [change])).toEqual({ text: "", done: [] });
  });
});
