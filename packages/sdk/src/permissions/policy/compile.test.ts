import { describe, expect, it } from "vitest";
import { isCastellanError, type RuleSource } from "../../protocol/index.ts";
import { contextOf, rule } from "../test-kit.ts";
import { compilePolicy } from "./compile.ts";
import { unknownNames } from "./unknown-names.ts";

describe("compilePolicy", () => {
  it("gives the same policy for the same context", () => {
    const context = contextOf({ deny: ["Bash"] });
    expect(compilePolicy(context)).toBe(compilePolicy(context));
    expect(compilePolicy(contextOf({ deny: ["Bash"] }))).not.toBe(compilePolicy(context));
  });

  it("reports rules that cannot be read, with where they stand", () => {
    const broken = { ...rule("Bash(rm:*", "deny"), file: ".castellan/settings.json", position: 4 };
    expect(compilePolicy(contextOf({}, { rules: [broken] })).findings).toEqual([
      {
        code: "malformed",
        severity: "error",
        text: "Bash(rm:*",
        behavior: "deny",
        source: "session",
        file: ".castellan/settings.json",
        position: 4,
        message:
          "The rule cannot be read: `(` is never closed. It is taken as a deny rule on the whole tool.",
        fix: "Write Bash(rm:*).",
        mended: "Bash(rm:*)",
      },
    ]);
    expect(compilePolicy(contextOf({ allow: ["Bash()"] })).findings[0]?.message).toMatch(/ignored/);
  });

  it.each<[string, "deny" | "ask"]>([
    ["Bash(rm:*", "deny"],
    ["Bash()", "ask"],
    ["Read(./*/../x)", "deny"],
  ])("does not load a policy with %s in %s", (text, behavior) => {
    const at =
      (source: RuleSource): (() => unknown) =>
      () =>
        compilePolicy(contextOf({}, { rules: [rule(text, behavior, source)] }));
    expect(at("projectSettings")).not.toThrow();
    try {
      at("policySettings")();
      expect.unreachable();
    } catch (error) {
      expect(isCastellanError(error, "invalid_rule")).toBe(true);
      expect(String(error)).toContain(text);
    }
  });

  it.each([
    ["allow", "*", /allows nothing/],
    ["allow", "mcp__*", /allows nothing/],
    ["deny", "Read(!x)", /matches nothing/],
    ["deny", "bash", /spelled Bash.*binds/],
    ["allow", "bash", /spelled Bash.*allows nothing/],
  ] as const)("reports the %s rule %s", (behavior, text, message) => {
    const { findings } = compilePolicy(contextOf({ [behavior]: [text] }));
    expect(findings.map((finding) => finding.message)).toEqual([expect.stringMatching(message)]);
  });

  it("finds nothing wrong with good rules", () => {
    const rules = {
      allow: ["Bash(ls:*)", "mcp__srv", "Task"],
      deny: ["*", "Read(.env)"],
      ask: ["custom(x)"],
    };
    expect(compilePolicy(contextOf(rules)).findings).toEqual([]);
  });
});

describe("unknownNames", () => {
  const found = (rules: Parameters<typeof contextOf>[0], tools: readonly string[] = []): string[] =>
    unknownNames(compilePolicy(contextOf(rules)), tools).map(({ severity, text }) => `${severity} ${text}`);

  it("reports names that no tool has", () => {
    expect(found({ deny: ["Bsh(rm:*)"], allow: ["nope"] })).toEqual(["error Bsh(rm:*)", "warning nope"]);
  });

  it("knows the tools that are there, and never doubts MCP names", () => {
    expect(found({ deny: ["deploy", "mcp__later__x", "*"], allow: ["deploy(x)"] }, ["deploy"])).toEqual([]);
  });

  it("tells how a custom tool is spelled", () => {
    expect(found({ deny: ["Deploy"] }, ["deploy"])).toEqual(["warning Deploy"]);
  });
});
