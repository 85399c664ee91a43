import { describe, expect, it } from "vitest";
import type { HooksOption } from "../protocol/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import type { HookSubject } from "./index.ts";
import { compileHooks } from "./index.ts";

const subject = (name: string, more: Partial<HookSubject> = {}): HookSubject => ({
  name,
  aliases: [],
  ...more,
});

function fires(matcher: string | undefined, tool: HookSubject): boolean {
  const entry = { ...(matcher === undefined ? {} : { matcher }), hooks: [() => ({})] };
  return compileHooks({ PreToolUse: [entry] }).matching("PreToolUse", tool).length === 1;
}

const agent = subject("Agent", { aliases: ["Task"] });
const issues = subject("mcp__git_hub__list", { server: "git_hub" });
const dashed = subject("mcp__my-srv__list", { server: "my-srv" });

describe("a matcher", () => {
  it.each<[string | undefined, HookSubject, boolean]>([
    [undefined, agent, true],
    ["", agent, true],
    ["*", agent, true],
    ["Agent", agent, true],
    ["Task", agent, true],
    ["agent", agent, false],
    ["Age", agent, false],
    ["Edit|Agent", agent, true],
    ["Edit,Write", agent, false],
    ["Edit, Agent", agent, true],
    ["mcp__git_hub", issues, true],
    ["mcp__git", issues, false],
    ["mcp__git_hub__list", issues, true],
    ["mcp__git_hub__lis", issues, false],
    ["mcp__my-srv", dashed, true],
    ["mcp__.*__list", issues, true],
    ["^Agen", agent, true],
    ["gen.", agent, true],
    ["^gen.", agent, false],
    [".*Task.*", agent, false],
    ["__proto__", agent, false],
    ["constructor", agent, false],
  ])("%s on %o: %s", (matcher, tool, expected) => {
    expect(fires(matcher, tool)).toBe(expected);
  });

  it("stays linear where backtracking would not", () => {
    expect(fires("^(a+)+$", subject(`${"a".repeat(60)}b`))).toBe(false);
  });
});

describe("the option", () => {
  const ok = { hooks: [() => ({})] };

  it.each<[unknown, string, RegExp]>([
    [7, "hooks", /an object of events/],
    [[], "hooks", /a list/],
    [{ preToolUse: [ok] }, "hooks.preToolUse", /"PreToolUse"/],
    [{ SessionStart: [ok] }, "hooks.SessionStart", /known, but this release does not fire the event/],
    [{ Stopp: [ok] }, "hooks.Stopp", /Did you mean "Stop"/],
    [{ Nothing: [ok] }, "hooks.Nothing", /Known are PreToolUse, PermissionRequest/],
    [{ __proto__x: [ok] }, "hooks.__proto__x", /no hook event/],
    [{ Stop: [{ ...ok, matcher: "Bash" }] }, "hooks.Stop[0].matcher", /about no tool/],
    [{ UserPromptSubmit: [{ ...ok, if: "Bash" }] }, "hooks.UserPromptSubmit[0].if", /about no tool/],
    [{ PreToolUse: [{ ...ok, if: 3 }] }, "hooks.PreToolUse[0].if", /permission rule/],
    [{ PreToolUse: [{ ...ok, if: "Bash(git" }] }, "hooks.PreToolUse[0].if", /Bash\(git/],
    [{ Stop: [{ ...ok, onFailure: "ask" }] }, "hooks.Stop[0].onFailure", /"continue" or "block"/],
    [{ PreToolUse: ok }, "hooks.PreToolUse", /no list/],
    [{ PreToolUse: [ok, 1] }, "hooks.PreToolUse[1]", /is 1/],
    [{ PreToolUse: [{ ...ok, match: "Bash" }] }, "hooks.PreToolUse[0].match", /"matcher"/],
    [{ PreToolUse: [{ ...ok, matcher: 3 }] }, "hooks.PreToolUse[0].matcher", /is 3/],
    [{ PreToolUse: [{ ...ok, matcher: "(a" }] }, "hooks.PreToolUse[0].matcher", /linear-time/],
    [{ PreToolUse: [{ ...ok, matcher: "(?=a)" }] }, "hooks.PreToolUse[0].matcher", /linear-time/],
    [{ PreToolUse: [{ ...ok, matcher: "Edit|" }] }, "hooks.PreToolUse[0].matcher", /empty name/],
    [{ PreToolUse: [{ ...ok, matcher: "Edit Write" }] }, "hooks.PreToolUse[0].matcher", /parted by/],
    [{ PreToolUse: [{}] }, "hooks.PreToolUse[0].hooks", /list of functions/],
    [{ PreToolUse: [{ hooks: [1] }] }, "hooks.PreToolUse[0].hooks[0]", /a function/],
    [{ PreToolUse: [{ ...ok, timeout: 0 }] }, "hooks.PreToolUse[0].timeout", /above 0/],
    [{ PreToolUse: [{ ...ok, timeout: "5" }] }, "hooks.PreToolUse[0].timeout", /"5"/],
    [{ PreToolUse: [{ ...ok, timeout: Number.NaN }] }, "hooks.PreToolUse[0].timeout", /NaN/],
    [{ PreToolUse: [{ ...ok, onFailure: "allow" }] }, "hooks.PreToolUse[0].onFailure", /"ask" or "block"/],
    [
      { PostToolUse: [{ ...ok, onFailure: "ask" }] },
      "hooks.PostToolUse[0].onFailure",
      /"continue" or "block"/,
    ],
  ])("%o is refused at %s", (option, place, message) => {
    try {
      compileHooks(option as HooksOption);
    } catch (error) {
      expect(isCastellanError(error, "invalid_option")).toBe(true);
      expect(error).toMatchObject({ subject: place, message: expect.stringMatching(message) });
      expect(String(error)).toContain(`Option ${place} `);
      return;
    }
    expect.unreachable("it compiled");
  });

  it("has an event only where a callback stands", () => {
    const table = compileHooks({ PreToolUse: [ok], PostToolUse: [{ hooks: [] }] });
    expect(table.has("PreToolUse")).toBe(true);
    expect(table.has("PostToolUse")).toBe(false);
    expect(compileHooks(undefined).has("PreToolUse")).toBe(false);
  });

  it("keeps order and time limit", () => {
    const table = compileHooks({ PreToolUse: [ok, { hooks: [() => ({}), () => ({})], timeout: 2 }] });
    const found = table.matching("PreToolUse", agent);
    expect(found.map((hook) => [hook.place, hook.timeoutMs, hook.onFailure])).toEqual([
      ["hooks.PreToolUse[0].hooks[0]", 60_000, "ask"],
      ["hooks.PreToolUse[1].hooks[0]", 2_000, "ask"],
      ["hooks.PreToolUse[1].hooks[1]", 2_000, "ask"],
    ]);
  });
});
