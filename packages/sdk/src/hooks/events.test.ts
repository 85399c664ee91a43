import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { HookEvent, HookMatcher, HooksOption, PermissionUpdate } from "../protocol/index.ts";
import type { HookCall, HookStart } from "./index.ts";
import {
  compileHooks,
  runNotification,
  runPermissionRequest,
  runPostCompact,
  runPostToolUse,
  runPostToolUseFailure,
  runPreCompact,
  runPreToolUse,
  runStop,
  runUserPromptSubmit,
} from "./index.ts";

const { clock } = nodePlatform();
const live = (): AbortSignal => new AbortController().signal;
const base = { session_id: "s", transcript_path: "/t", cwd: "/w", permission_mode: "default" } as const;
const call: HookCall = {
  subject: { name: "Bash", aliases: [] },
  input: { command: "ls", n: 1 },
  toolUseId: "call_1",
  base: () => base,
  holds: () => "whole",
};
const told = {
  ...base,
  tool_name: "Bash",
  tool_input: { command: "ls", n: 1 },
  tool_use_id: "call_1",
};

const waiting = {
  notification_type: "approval_requested",
  title: "Bash: ls",
  message: "why",
  approval_id: "apr_1",
  tool_name: "Bash",
  tool_use_id: "call_1",
} as const;

const saying = (output: unknown): HookMatcher => ({ hooks: [() => output as object] });
const table = (event: HookEvent, entries: readonly HookMatcher[]) =>
  compileHooks({ [event]: entries } as HooksOption);

/** Runs one event over hooks that answer so, and gives what every event has. */
const RUN: Readonly<Record<HookEvent, (entries: readonly HookMatcher[]) => Promise<Common>>> = {
  PreToolUse: (entries) => runPreToolUse(table("PreToolUse", entries), call, live(), { clock }),
  PermissionRequest: (entries) => request(entries),
  PostToolUse: (entries) =>
    runPostToolUse(table("PostToolUse", entries), { ...call, response: () => "out" }, live(), { clock }),
  PostToolUseFailure: (entries) => failed(entries),
  UserPromptSubmit: (entries) =>
    runUserPromptSubmit(table("UserPromptSubmit", entries), base, "hello", live(), { clock }),
  Stop: (entries) =>
    runStop(table("Stop", entries), base, { text: "bye", isActive: true }, live(), { clock }),
  Notification: (entries) =>
    runNotification(table("Notification", entries), base, waiting, live(), { clock }),
  PreCompact: (entries) =>
    runPreCompact(table("PreCompact", entries), base, { trigger: "manual", wish: "keep names" }, live(), {
      clock,
    }),
  PostCompact: (entries) =>
    runPostCompact(
      table("PostCompact", entries),
      base,
      { trigger: "auto", compact_summary: "so far" },
      live(),
      { clock },
    ),
};
type Common = Awaited<ReturnType<typeof runPostToolUseFailure>>;

const suggestion: PermissionUpdate = { type: "setMode", mode: "acceptEdits", destination: "session" };

function request(entries: readonly HookMatcher[]) {
  const question = { ...call, reason: "why", suggestions: () => [suggestion] };
  return runPermissionRequest(table("PermissionRequest", entries), question, live(), { clock });
}

function failed(entries: readonly HookMatcher[]) {
  const asked = { ...call, error: () => "no such file", isInterrupt: false };
  return runPostToolUseFailure(table("PostToolUseFailure", entries), asked, live(), { clock });
}

const decide = (decision: unknown) => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision },
});

describe.each(Object.keys(RUN) as HookEvent[])("%s hooks", (event) => {
  const run = RUN[event];

  it("are told what the event is about", async () => {
    let seen: unknown;
    const note = (input: object) => {
      seen = { ...input };
      return {};
    };
    await run([{ hooks: [note] }]);
    const own = {
      PreToolUse: told,
      PermissionRequest: { ...told, decision_reason: "why", permission_suggestions: [suggestion] },
      PostToolUse: { ...told, tool_response: "out" },
      PostToolUseFailure: { ...told, error: "no such file", is_interrupt: false },
      UserPromptSubmit: { ...base, prompt: "hello" },
      Stop: { ...base, stop_hook_active: true, last_assistant_message: "bye" },
      Notification: { ...base, ...waiting },
      PreCompact: { ...base, trigger: "manual", custom_instructions: "keep names" },
      PostCompact: { ...base, trigger: "auto", compact_summary: "so far" },
    }[event];
    expect(seen).toEqual({ ...own, hook_event_name: event });
  });

  it("may end the run and show something, whatever the event", async () => {
    const effect = await run([
      saying({ systemMessage: "look" }),
      saying({ continue: false, stopReason: "enough" }),
      saying({ continue: false, stopReason: "later" }),
    ]);
    expect(effect).toMatchObject({ stop: { reason: "enough" }, systemMessages: ["look"], warnings: [] });
    expect(effect.runs.map((one) => one.outcome)).toEqual(["no_opinion", "block", "block"]);
  });

  it.each([
    ["nothing", undefined],
    ["a text", "go"],
    ["a promise of a number", Promise.resolve(7)],
    ["another event", { hookSpecificOutput: { hookEventName: "SessionEnd" } }],
    ["a wrong type", { continue: "no" }],
    ["a decision that is none", { decision: "perhaps" }],
    ["a misspelt decision", { Decision: "block" }],
    ["async and a decision", { async: true, decision: "block" }],
    ["async that is none", { async: "yes" }],
  ])("count %s as a failure", async (_, output) => {
    const effect = await run([saying(output)]);
    expect(effect.runs).toMatchObject([
      { event, hook: `hooks.${event}[0].hooks[0]`, outcome: "failed", detail: expect.any(String) },
    ]);
    expect(effect.warnings).toEqual([expect.stringContaining(`hooks.${event}[0].hooks[0] failed`)]);
    expect("stop" in effect).toBe(false);
  });

  it.each([
    ["{}", {}],
    ["continue: true", { continue: true }],
    ["async", { async: true, asyncTimeout: 5 }],
  ])("have no opinion with %s", async (_, output) => {
    const effect = await run([saying(output)]);
    expect(effect.runs).toMatchObject([{ outcome: "no_opinion" }]);
    expect(effect).toMatchObject({ contexts: [], systemMessages: [], warnings: [] });
    for (const key of ["behavior", "answer", "updatedInput", "stop"]) expect(key in effect).toBe(false);
  });

  it("warn of an unknown key", async () => {
    const effect = await run([saying({ colour: "red" })]);
    expect(effect.warnings).toEqual([expect.stringContaining('unknown key "colour"')]);
    expect(effect.runs).toMatchObject([{ outcome: "no_opinion" }]);
  });

  it("tell of their beginning, under the id that the record has", async () => {
    const starts: HookStart[] = [];
    const deps = {
      clock,
      started: (start: HookStart) => {
        starts.push(start);
        return `id_${starts.length}`;
      },
    };
    const hooks = table("Stop", [saying({}), saying(3)]);
    const { runs } = await runStop(hooks, base, { text: "", isActive: false }, live(), deps);
    expect(starts.map(({ hook }) => hook)).toEqual(["hooks.Stop[0].hooks[0]", "hooks.Stop[1].hooks[0]"]);
    expect(runs.map(({ runId }) => runId)).toEqual(["id_1", "id_2"]);
  });
});

describe("PermissionRequest", () => {
  it("deny wins over a failure, that over an allow", async () => {
    const allow = saying(decide({ behavior: "allow" }));
    const broken = saying(1);
    const deny = saying(decide({ behavior: "deny", message: "no" }));
    expect((await request([allow, allow])).answer).toEqual({
      behavior: "allow",
      by: "hooks.PermissionRequest[0].hooks[0], hooks.PermissionRequest[1].hooks[0]",
      updates: [],
    });
    expect((await request([allow, broken])).answer).toBeUndefined();
    expect((await request([allow, { ...broken, onFailure: "continue" }])).answer?.behavior).toBe("allow");
    expect((await request([allow, { ...broken, onFailure: "block" }])).answer?.behavior).toBe("deny");
    expect((await request([broken, deny, allow])).answer).toEqual({
      behavior: "deny",
      message: "no",
      interrupt: false,
    });
  });

  it("joins rewrites and updates of those who allow, and the interrupt of those who deny", async () => {
    const both = await request([
      saying(decide({ behavior: "allow", updatedInput: { command: "ls -l", n: 1 } })),
      saying(
        decide({
          behavior: "allow",
          updatedInput: { command: "ls", n: 2 },
          updatedPermissions: [suggestion],
        }),
      ),
    ]);
    expect(both.answer).toMatchObject({ updatedInput: { command: "ls -l", n: 2 }, updates: [suggestion] });
    const denied = await request([
      saying(decide({ behavior: "deny" })),
      saying(decide({ behavior: "deny", message: "stop", interrupt: true })),
    ]);
    expect(denied.answer).toEqual({
      behavior: "deny",
      message: "The hook hooks.PermissionRequest[0].hooks[0] gave no reason; stop",
      interrupt: true,
    });
  });

  it.each([
    ["a text", decide("allow"), /"hookSpecificOutput.decision" is "allow"/],
    ["no behavior", decide({}), /"decision.behavior" is undefined/],
    ["ask", decide({ behavior: "ask" }), /"decision.behavior" is "ask"/],
    ["allow and interrupt", decide({ behavior: "allow", interrupt: true }), /goes with "deny"/],
    [
      "a misspelt key",
      decide({ behavior: "allow", updated_input: {} }),
      /decision.updatedInput" was probably meant/,
    ],
    [
      "a misplaced key",
      { hookSpecificOutput: { hookEventName: "PermissionRequest", updatedInput: {} } },
      /"hookSpecificOutput.decision.updatedInput" was/,
    ],
    ["the top-level decision", { decision: "approve" }, /means nothing in PermissionRequest/],
    [
      "the decision of another event",
      { hookSpecificOutput: { hookEventName: "PermissionRequest", permissionDecision: "allow" } },
      /means nothing here/,
    ],
    [
      "updates that are none",
      decide({ behavior: "allow", updatedPermissions: [{}] }),
      /no known destination/,
    ],
    ["an input that is none", decide({ behavior: "allow", updatedInput: 1 }), /"updatedInput" is a number/],
  ])("leaves the question open on %s", async (_, output, why) => {
    const effect = await request([saying(output), saying(decide({ behavior: "allow" }))]);
    expect(effect.answer).toBeUndefined();
    expect(effect.warnings.join()).toMatch(why);
  });

  it("gives each hook suggestions of its own", async () => {
    const lists: unknown[] = [];
    const hook = {
      hooks: [
        (input: { hook_event_name: string; permission_suggestions?: unknown }) => {
          lists.push(input.permission_suggestions);
          return {};
        },
      ],
    } as HookMatcher;
    const question = { ...call, reason: "why", suggestions: () => [{ ...suggestion }] };
    await runPermissionRequest(table("PermissionRequest", [hook, hook]), question, live(), { clock });
    expect(lists).toEqual([[suggestion], [suggestion]]);
    expect(lists[0]).not.toBe(lists[1]);
  });
});

describe("an `if`", () => {
  const allow = {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", additionalContext: "c" },
  };
  const under = (holds: HookCall["holds"]) =>
    runPreToolUse(
      table("PreToolUse", [{ ...saying(allow), if: "Bash(git *)" }]),
      { ...call, holds },
      live(),
      { clock },
    );

  it("lets a hook run where it holds", async () => {
    const asked: string[] = [];
    const whole = await under((rule) => {
      asked.push(rule);
      return "whole";
    });
    expect(whole).toMatchObject({ behavior: "allow", contexts: ["c"] });
    expect(asked).toEqual(["Bash(git *)"]);
    expect((await under(() => "no")).runs).toEqual([]);
  });

  it("drops an allow where it holds for a part, or cannot be found out", async () => {
    for (const holds of [() => "part" as const, () => Promise.reject(new Error("no disk"))]) {
      const part = await under(holds);
      expect("behavior" in part).toBe(false);
      expect(part).toMatchObject({ contexts: ["c"], runs: [{ outcome: "context" }] });
      expect(part.warnings).toEqual([expect.stringContaining("does not count")]);
    }
  });
});

describe("UserPromptSubmit and Stop", () => {
  it.each(["UserPromptSubmit", "Stop"] as const)("%s blocks with reasons in order", async (event) => {
    const effect = await RUN[event]([
      saying({ decision: "block", reason: "one" }),
      saying({ decision: "approve" }),
      { ...saying(7), onFailure: "block" },
      saying({ decision: "block" }),
    ]);
    expect(effect).toMatchObject({
      blocks: ["one", expect.stringMatching(/hooks\[0\] failed: it returned a number/), "it gave no reason"],
    });
  });
});

describe("suppressOutput", () => {
  it("marks the record, which keeps what was said", async () => {
    const { runs } = await RUN.Stop([saying({ suppressOutput: true, decision: "block", reason: "psst" })]);
    expect(runs).toMatchObject([{ suppressed: true, detail: "psst" }]);
  });
});
