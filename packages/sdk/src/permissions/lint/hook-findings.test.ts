import { describe, expect, it } from "vitest";
import { lintRules } from "./lint.ts";
import type { LintFinding } from "./types.ts";

function lint(value: unknown): readonly LintFinding[] {
  return lintRules({
    rules: [],
    toolNames: ["deploy"],
    matcherFault: (matcher) => (matcher.includes("(?=") ? "it looks ahead" : undefined),
    hooks: [
      {
        value,
        source: "projectSettings",
        file: ".castellan/settings.json",
        line: (path) => 10 + path.length,
      },
    ],
  });
}

function told(value: unknown): string[] {
  return lint(value).map(
    ({ severity, code, rule, fix }) => `${severity} ${code} ${rule}${fix === undefined ? "" : ` -> ${fix}`}`,
  );
}

const HOOKS = [{ type: "command", command: "x" }];

describe("hooks of settings files", () => {
  it.each([
    ["Edit|Write"],
    ["Bash"],
    ["Task"],
    ["deploy"],
    [".*"],
    ["*"],
    [""],
    [undefined],
    ["mcp__gemini"],
    ["mcp__.*__write"],
    ["Edit, Write"],
  ])("finds nothing wrong with the matcher %s", (matcher) => {
    expect(told({ PreToolUse: [{ matcher, hooks: HOOKS }] })).toEqual([]);
  });

  it.each([
    ["Bash(git *)", "error hook-matcher Bash(git *) -> Bash"],
    ["bash", "error hook-matcher bash -> Bash"],
    ["Edit|Writ", "warning hook-matcher Edit|Writ -> Edit|Write"],
    ["(?=Bash)", "error hook-matcher (?=Bash)"],
    ["Edit||Write", "error hook-matcher Edit||Write"],
    ["Edit Write", "error hook-matcher Edit Write"],
    ["mcp__", "error hook-matcher mcp__ -> mcp__.*"],
    [5, "error hook-matcher PreToolUse"],
  ])("the matcher %s never fires", (matcher, finding) => {
    expect(told({ PreToolUse: [{ matcher, hooks: HOOKS }] })).toEqual([finding]);
  });

  it.each<readonly [unknown, string[]]>([
    [{ Bash: [{ hooks: HOOKS }] }, ["error hook-event Bash"]],
    [{ PreToolUs: [{ hooks: HOOKS }] }, ["error hook-event PreToolUs -> PreToolUse"]],
    [{ __proto__: null, constructor: [{ hooks: HOOKS }] }, ["error hook-event constructor"]],
    [{ SessionStart: [{ matcher: "startup", hooks: HOOKS }] }, ["warning hook-event SessionStart"]],
    [{ Stop: [{ matcher: "Bash", hooks: HOOKS }] }, ["warning hook-matcher Bash"]],
    [{ Stop: [{ matcher: ".*", hooks: HOOKS }] }, []],
    [{ PreToolUse: HOOKS }, ["error hook-shape PreToolUse"]],
    [{ PreToolUse: { hooks: HOOKS } }, ["error hook-shape PreToolUse"]],
    [[], ["error hook-shape hooks"]],
    [{ Stop: [{ hooks: [{ timeout: 10_000 }, { timeout: 60 }, null] }] }, ["warning hook-timeout Stop"]],
    [undefined, []],
  ])("%o", (value, findings) => {
    expect(told(value)).toEqual(findings);
  });

  it("tells file and line", () => {
    expect(lint({ PreToolUse: [{ matcher: "bash", hooks: HOOKS }] })[0]).toMatchObject({
      list: "hooks",
      source: "projectSettings",
      file: ".castellan/settings.json",
      line: 12,
    });
  });
});
