import { type HookEvent, type HookMatcher, type HooksOption, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { describe, expect, it } from "vitest";
import { silence } from "../kit/live.ts";
import { once, run } from "../kit/session.ts";

/** One hook of the event over a session that calls one tool; what came of it, everywhere it can be seen. */
async function play(
  event: HookEvent,
  output: unknown,
  options: Options = {},
  more: Partial<HookMatcher> = {},
) {
  const ran: unknown[] = [];
  const act = tool("act", "Acts.", { x: "string?", fail: "boolean?" }, (input) => {
    ran.push(input);
    return { content: [{ type: "text", text: "acted" }], isError: input.fail === true };
  });
  const store = memoryStore();
  const callback = () => (typeof output === "function" ? output() : output);
  const hooks = { [event]: [{ hooks: [callback], ...more }] } as HooksOption;
  const input = { x: "model", ...(event === "PostToolUseFailure" ? { fail: true } : {}) };
  const turns = event === "Stop" ? ["first", "second", ...once("act")] : once("act", input);
  const allowed = event === "PermissionRequest" ? {} : { allowedTools: ["act"] };
  const outcome = await run(turns, {
    ...{ tools: [act], hooks, sessionStore: store, includeHookEvents: true, ...allowed },
    ...options,
  });
  const events = await store.read(outcome.result.session_id);
  const logged = events.flatMap((each) => (each.type === "hook.ran" ? [each.data] : []));
  const told = outcome.messages.flatMap((each) =>
    each.type === "system" && each.subtype === "hook_response" ? [each.effect] : [],
  );
  const notes = outcome.messages.flatMap((each) =>
    each.type === "system" && each.subtype === "notification" ? [`${each.level}: ${each.message}`] : [],
  );
  const { result, texts, model } = outcome;
  const sent = JSON.stringify(model.requests.map(({ messages }) => messages));
  // What the log holds of the hook is what the reader was told.
  expect(told).toEqual(logged.map((data) => data.outcome));
  expect(logged.every((data) => data.event === event && data.hook === `hooks.${event}[0].hooks[0]`)).toBe(
    true,
  );
  return { ran, result, texts, notes, sent, logged: told };
}

const of = (event: HookEvent, more: object) => ({ hookSpecificOutput: { hookEventName: event, ...more } });
const explode = (): never => {
  throw new Error("broken");
};
const other = (event: HookEvent): HookEvent => (event === "Stop" ? "PreToolUse" : "Stop");

const EVENTS: readonly HookEvent[] = [
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
];
/** Where a failure alone makes a question that nobody is there to answer. */
const ASKS: ReadonlySet<HookEvent> = new Set<HookEvent>(["PreToolUse", "PermissionRequest"]);

describe.each(EVENTS)("%s", (event) => {
  it.each([
    ["throws", explode],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["hangs", silence],
    ["answers garbage", "garbage"],
    ["answers for another event", of(other(event), {})],
    ["misspells a weighty key", { Continue: false }],
  ])("that %s is a failure: told, written, and no allow", async (_, output) => {
    const { ran, result, notes, logged } = await play(event, output, {}, { timeout: 0.02 });
    expect(logged).toEqual(["failed"]);
    expect(notes).toEqual([expect.stringMatching(new RegExp(`^warning: The ${event} hook .* failed: `))]);
    expect(ran).toHaveLength(ASKS.has(event) || event === "Stop" ? 0 : 1);
    expect(result.permission_denials).toHaveLength(ASKS.has(event) ? 1 : 0);
    expect(result.subtype).toBe("success");
  });

  it.each([
    ["{}", {}],
    ["continue: true", { continue: true }],
    ["async", { async: true }],
  ])("with %s has no opinion", async (_, output) => {
    const { ran, result, notes, logged } = await play(event, output);
    expect([logged, notes]).toEqual([["no_opinion"], []]);
    expect(ran).toHaveLength(event === "PermissionRequest" || event === "Stop" ? 0 : 1);
    expect(result.subtype).toBe("success");
  });

  it("with continue: false ends the run with its reason, and shows its message", async () => {
    const output = { continue: false, stopReason: "enough for today", systemMessage: "look here" };
    const { ran, result, notes, logged } = await play(event, output);
    expect(result).toMatchObject({
      ...{ subtype: "error_during_execution", terminal_reason: "hook_stopped" },
      errors: ["A hook ended the run: enough for today"],
    });
    expect([logged, notes]).toEqual([["block"], ["info: look here"]]);
    expect(ran).toHaveLength(event.startsWith("PostToolUse") ? 1 : 0);
  });

  it("warns of a key that means nothing", async () => {
    const { notes, logged } = await play(event, { colour: "red" });
    expect(notes).toEqual([expect.stringMatching(/unknown key "colour"/)]);
    expect(logged).toEqual(["no_opinion"]);
  });
});

describe("PreToolUse", () => {
  const event = "PreToolUse";
  const nobody: Options = { allowedTools: [] };

  it.each([
    ["allow", of(event, { permissionDecision: "allow" }), nobody, 1, "allow"],
    ["the older approve", { decision: "approve" }, nobody, 1, "allow"],
    ["deny", of(event, { permissionDecision: "deny", permissionDecisionReason: "why" }), {}, 0, "deny"],
    ["the older block", { decision: "block", reason: "why" }, {}, 0, "deny"],
    ["ask", of(event, { permissionDecision: "ask", permissionDecisionReason: "why" }), {}, 0, "ask"],
    [
      "allow against a deny rule",
      of(event, { permissionDecision: "allow" }),
      { settings: { permissions: { deny: ["act(act)"] } } },
      0,
      "allow",
    ],
    [
      "allow against an ask rule",
      of(event, { permissionDecision: "allow" }),
      { settings: { permissions: { ask: ["act"] } } },
      0,
      "allow",
    ],
  ] as const)("%s", async (_, output, options, times, outcome) => {
    const { ran, logged, result, texts } = await play(event, output, options as Options);
    expect([ran.length, logged]).toEqual([times, [outcome]]);
    if (times === 1) return;
    expect(result.permission_denials).toMatchObject([{ tool_name: "act", tool_input: { x: "model" } }]);
    if (outcome === "deny" || outcome === "ask") expect(texts[0]).toContain("why");
  });

  it("rewrites, validated and decided again; adds context", async () => {
    const rewritten = await play(
      event,
      of(event, { updatedInput: { x: "hook" }, additionalContext: "by the way" }),
    );
    expect(rewritten.ran).toEqual([{ x: "hook" }]);
    expect(rewritten.sent).toContain("by the way");
    const invalid = await play(event, of(event, { updatedInput: { x: 7 } }));
    expect(invalid.ran).toEqual([]);
    expect(invalid.texts[0]).toMatch(/hook changed the input/);
  });

  it("with onFailure block refuses, with continue goes on", async () => {
    expect((await play(event, explode, {}, { onFailure: "block" })).ran).toEqual([]);
    expect((await play(event, explode, {}, { onFailure: "continue" })).ran).toHaveLength(1);
  });
});

describe("PermissionRequest", () => {
  const event = "PermissionRequest";
  const decide = (decision: object) => of(event, { decision });

  it("allows, rewrites, denies, interrupts", async () => {
    const allowed = await play(event, decide({ behavior: "allow", updatedInput: { x: "hook" } }));
    expect([allowed.ran, allowed.logged]).toEqual([[{ x: "hook" }], ["allow"]]);
    const denied = await play(event, decide({ behavior: "deny", message: "not now" }));
    expect([denied.ran, denied.texts, denied.logged]).toEqual([[], ["not now"], ["deny"]]);
    expect(denied.result).toMatchObject({ subtype: "success", permission_denials: [{ tool_name: "act" }] });
    const ended = await play(event, decide({ behavior: "deny", message: "no", interrupt: true }));
    expect(ended.result).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "denied_interrupt",
    });
  });

  it("answers no deny rule and no dontAsk", async () => {
    const allow = decide({ behavior: "allow" });
    for (const options of [{ permissionMode: "dontAsk" }, { disallowedTools: ["act(act)"] }] as Options[]) {
      const { ran, logged } = await play(event, allow, options);
      expect([ran, logged]).toEqual([[], []]);
    }
  });
});

describe("PostToolUse", () => {
  const event = "PostToolUse";

  it("replaces, comments and objects", async () => {
    const replaced = await play(
      event,
      of(event, { updatedToolOutput: "hidden", additionalContext: "note this" }),
    );
    expect(replaced.texts[0]).toMatch(/^hidden/);
    expect(replaced.sent).toContain("note this");
    expect(replaced.sent).not.toContain("acted");
    const blocked = await play(event, { decision: "block", reason: "look again" });
    expect(blocked.texts[0]).toMatch(/acted\n.*look again/);
    expect(blocked.logged).toEqual(["block"]);
    const strict = await play(event, explode, {}, { onFailure: "block" });
    expect(strict.texts[0]).toMatch(/threw: broken/);
  });
});

describe("PostToolUseFailure", () => {
  it("comments what failed", async () => {
    const event = "PostToolUseFailure";
    const { sent, logged, texts } = await play(event, of(event, { additionalContext: "try again" }));
    expect(logged).toEqual(["context"]);
    expect(sent).toContain("try again");
    expect(texts[0]).toMatch(/^acted/);
  });
});

describe("UserPromptSubmit", () => {
  const event = "UserPromptSubmit";

  it("adds context, blocks, and blocks by a failure", async () => {
    const added = await play(event, of(event, { additionalContext: "it is Monday" }));
    expect(added.sent).toContain("it is Monday");
    expect(added.logged).toEqual(["context"]);
    for (const [output, more, why, outcome] of [
      [{ decision: "block", reason: "not here" }, {}, /not here/, "block"],
      [explode, { onFailure: "block" }, /threw: broken/, "failed"],
    ] as const) {
      const blocked = await play(event, output, {}, more);
      expect(blocked.result).toMatchObject({
        ...{ subtype: "error_during_execution", terminal_reason: "prompt_blocked", num_turns: 0 },
        errors: [expect.stringMatching(why)],
      });
      expect([blocked.sent, blocked.ran, blocked.logged]).toEqual(["[]", [], [outcome]]);
    }
  });
});

describe("Stop", () => {
  it("goes on with the reason, and ends with the next answer", async () => {
    let asked = 0;
    const output = () => {
      asked += 1;
      return asked === 1 ? { decision: "block", reason: "run the tests" } : {};
    };
    const { result, sent, logged } = await play("Stop", output);
    expect(result).toMatchObject({ subtype: "success", result: "second", num_turns: 2 });
    expect(sent).toContain("run the tests");
    expect(logged).toEqual(["block", "no_opinion"]);
  });
});
