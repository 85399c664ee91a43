import { describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "../../protocol/index.ts";
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

function matching(matcher: unknown): unknown {
  return { PreToolUse: [{ matcher, hooks: HOOKS }] };
}

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
    [{ Notification: [{ hooks: HOOKS }], PreCompact: [{ matcher: "", hooks: HOOKS }] }, []],
    [{ Notification: [{ matcher: "idle_prompt", hooks: HOOKS }] }, ["warning hook-matcher idle_prompt"]],
    [{ PostCompact: [{ matcher: "auto", hooks: HOOKS }] }, ["warning hook-matcher auto"]],
    [{ PreToolUse: HOOKS }, ["error hook-shape PreToolUse"]],
    [{ PreToolUse: { hooks: HOOKS } }, ["error hook-shape PreToolUse"]],
    [[], ["error hook-shape hooks"]],
    [{ Stop: [{ hooks: [{ timeout: 10_000 }, { timeout: 60 }, null] }] }, ["warning hook-timeout Stop"]],
    [undefined, []],
  ])("%o", (value, findings) => {
    expect(told(value)).toEqual(findings);
  });

  it.each<readonly [unknown, string]>([
    [[], "`hooks` is no object of events."],
    [{ SessionStart: [{ hooks: HOOKS }] }, "This release does not fire SessionStart: the hook never runs."],
    [{ PreToolUse: 5 }, "PreToolUse is no list of { matcher, hooks }."],
    [{ PreToolUse: HOOKS }, "The entry is no { matcher, hooks: [ … ] }."],
    [{ PreToolUse: [{ hooks: {} }] }, "The entry is no { matcher, hooks: [ … ] }."],
    [
      { Bash: [{ hooks: HOOKS }] },
      "No hook event is called Bash. It is a tool: write it as the matcher of PreToolUse.",
    ],
    [{ PreToolUs: [{ hooks: HOOKS }] }, "No hook event is called PreToolUs."],
    [
      { Whatever: [{ hooks: HOOKS }] },
      `No hook event is called Whatever. Events are ${HOOK_EVENTS.join(", ")}.`,
    ],
    [matching(5), "The matcher is no text."],
    [{ Stop: [{ matcher: "Bash", hooks: HOOKS }] }, "Stop is about no tool: leave the matcher out."],
    [
      matching(" Bash(git *) "),
      "The matcher is a permission rule. It is compared with the tool's name: write Bash, and the rule as `if`.",
    ],
    [matching("(?=Bash)"), "The matcher cannot be used: it looks ahead."],
    [matching("Edit,"), "The list of names holds an empty one."],
    [matching("Edit Write|Bash"), "Names in a list are parted by | or a comma."],
    [matching("mcp__"), "`mcp__` alone names no server."],
    [matching("frobnicate"), "No tool is called frobnicate. Matchers go by the exact name."],
    [
      { Stop: [{ hooks: [{ timeout: 3_600_000 }] }] },
      "A timeout of 3600000 seconds: it is not in milliseconds.",
    ],
  ])("says of %j: %s", (value, message) => {
    expect(lint(value).map((finding) => finding.message)).toEqual([message]);
  });

  it.each([
    ["x Bash(git *)", []],
    ["Bash(git *) x", []],
    ["Bash(a|b)", []],
    ["frobnicate(x)", []],
    ["mcp__|Bash", ["error hook-matcher mcp__|Bash"]],
    ["frobnicate", ["error hook-matcher frobnicate"]],
    ["frobnicate|Bash", ["warning hook-matcher frobnicate|Bash"]],
  ])("the matcher %s: %j", (matcher, findings) => {
    expect(told(matching(matcher))).toEqual(findings);
  });

  it("without a check of patterns, a file or lines", () => {
    const hooks = [{ value: matching("(?=Bash)"), source: "userSettings" as const }];
    expect(lintRules({ rules: [], hooks })).toEqual([]);
    const [finding] = lintRules({
      rules: [],
      hooks: [{ ...hooks[0], value: matching("bash"), source: "userSettings" }],
    });
    expect(finding).toEqual({
      code: "hook-matcher",
      severity: "error",
      rule: "bash",
      list: "hooks",
      source: "userSettings",
      message: "No tool is called bash. Matchers go by the exact name.",
      fix: "Bash",
    });
  });

  it("asks for the line of what it tells", () => {
    const asked: string[] = [];
    const value = {
      Bash: 5,
      PreToolUse: [5, { matcher: "bash", hooks: [{ timeout: 60 }, { timeout: 10_000_000 }] }],
      SessionStart: [],
    };
    const line = (path: readonly (string | number)[]): number => asked.push(path.join("/"));
    lintRules({ rules: [], hooks: [{ value, source: "userSettings", line }] });
    expect(asked).toEqual([
      "Bash",
      "Bash",
      "PreToolUse/0",
      "PreToolUse/1",
      "PreToolUse/1/hooks/1",
      "SessionStart",
    ]);
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
