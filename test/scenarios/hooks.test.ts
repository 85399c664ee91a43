import {
  type HookCallback,
  type HookJSONOutput,
  type HookMatcher,
  type HooksOption,
  type Options,
  tool,
} from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, said, silence, streaming } from "../kit/live.ts";
import { once, run } from "../kit/session.ts";

/** A tool that tells what it ran with; it is asked about unless something allows it. */
function echo() {
  const ran: unknown[] = [];
  const made = tool("echo", "Echoes.", { a: "string?", b: "string?", seen: "string?" }, (input) => {
    ran.push(input);
    return { content: [{ type: "text", text: `ran with ${JSON.stringify(input)}` }] };
  });
  return { ran, made };
}

/** Runs one call of echo, and gives what was said, done and written. */
async function calling(hooks: HooksOption, options: Options = {}, input: Record<string, unknown> = {}) {
  const { ran, made } = echo();
  const store = memoryStore();
  const tools = options.tools ?? [made];
  const outcome = await run(once("echo", input), {
    ...{ sessionStore: store, hooks, includeHookEvents: true },
    ...options,
    tools,
  });
  const events = await store.read(outcome.result.session_id);
  const hookEvents = events.flatMap((event) => (event.type === "hook.ran" ? [event.data] : []));
  return { ...outcome, ran, events, hookEvents };
}

const asking: Options["canUseTool"] = () => ({ behavior: "allow" });
const pre = (more: object): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...more },
});

/** A generator of small numbers that is the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe("five hooks at once", () => {
  const late = async <T>(turns: number, value: () => T): Promise<T> => {
    for (let i = 0; i < turns; i++) await (i % 3 === 2 ? new Promise(setImmediate) : Promise.resolve());
    return value();
  };
  const explode = (): never => {
    throw new Error("broken");
  };

  it("two that rewrite, one that throws, one that hangs, one that prints garbage: one outcome in 200 orders", async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 200; seed++) {
      const next = numbers(seed);
      const turns = (): number => Math.floor(next() * 9);
      const entry = (callback: HookCallback<"PreToolUse">, more: object = {}): HookMatcher<"PreToolUse"> => ({
        ...{ hooks: [callback], onFailure: "continue" },
        ...more,
      });
      const { ran, hookEvents, messages, texts, result } = await calling(
        {
          PreToolUse: [
            entry(() => late(turns(), () => pre({ updatedInput: { a: "first", seen: "yes" } }))),
            entry(() => late(turns(), explode)),
            entry(silence, { timeout: 0.001 + next() / 500 }),
            entry(() => late(turns(), () => "garbage" as never)),
            entry(() =>
              late(turns(), () =>
                pre({ updatedInput: { a: "x", b: "second" }, permissionDecision: "allow" }),
              ),
            ),
          ],
        },
        {},
        { a: "x" },
      );
      const responses = messages.flatMap((message) =>
        message.type === "system" && message.subtype === "hook_response"
          ? [[message.hook_name, message.effect]]
          : [],
      );
      const notes = messages.flatMap((message) =>
        message.type === "system" && message.subtype === "notification"
          ? [message.message.replace(/within [\d.]+ s/, "in time")]
          : [],
      );
      const order = hookEvents.map(({ hook, outcome }) => [hook, outcome]);
      seen.add(JSON.stringify({ ran, order, responses, notes, texts, subtype: result.subtype }));
    }
    expect([...seen].map((text) => JSON.parse(text))).toEqual([
      {
        ran: [{ a: "first", b: "second", seen: "yes" }],
        order: [
          ["hooks.PreToolUse[0].hooks[0]", "rewrite"],
          ["hooks.PreToolUse[1].hooks[0]", "failed"],
          ["hooks.PreToolUse[2].hooks[0]", "failed"],
          ["hooks.PreToolUse[3].hooks[0]", "failed"],
          ["hooks.PreToolUse[4].hooks[0]", "allow"],
        ],
        responses: expect.arrayContaining([["hooks.PreToolUse[4].hooks[0]", "allow"]]),
        notes: [
          expect.stringMatching(/\[1\].*threw: broken/),
          expect.stringMatching(/\[2\].*did not answer in time/),
          expect.stringMatching(/\[3\].*"garbage"/),
        ],
        texts: [expect.stringMatching(/^ran with/)],
        subtype: "success",
      },
    ]);
    // Nothing here depends on time but how long 200 sessions take on a busy machine.
  }, 120_000);

  it("the same five with the default onFailure: the failures make it a question, in every order", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = numbers(seed);
      const turns = (): number => Math.floor(next() * 9);
      const { ran, result } = await calling({
        PreToolUse: [
          { hooks: [() => late(turns(), () => pre({ permissionDecision: "allow" }))] },
          { hooks: [() => late(turns(), explode), silence], timeout: 0.002 },
          { hooks: [() => late(turns(), () => "garbage" as never)] },
        ],
      });
      expect([ran, result.permission_denials.length]).toEqual([[], 1]);
    }
  });
});

describe("hook events as messages", () => {
  const hooks: HooksOption = {
    PreToolUse: [{ hooks: [() => pre({ permissionDecision: "allow", permissionDecisionReason: "fine" })] }],
    PostToolUse: [{ hooks: [() => ({ suppressOutput: true, decision: "block", reason: "hush" })] }],
    Stop: [{ hooks: [() => ({})] }],
  };

  it("come with includeHookEvents, each run under one id", async () => {
    const { messages, hookEvents } = await calling(hooks);
    const of = (subtype: string) =>
      messages.filter((message) => message.type === "system" && message.subtype === subtype);
    const call = { tool_use_id: expect.any(String) };
    expect(of("hook_started")).toMatchObject([
      { hook_event: "PreToolUse", hook_name: "hooks.PreToolUse[0].hooks[0]", ...call },
      { hook_event: "PostToolUse", ...call },
      { hook_event: "Stop" },
    ]);
    expect(of("hook_response")).toMatchObject([
      { hook_event: "PreToolUse", outcome: "success", effect: "allow", output: "fine", ...call },
      { hook_event: "PostToolUse", outcome: "success", effect: "block", output: "" },
      { hook_event: "Stop", outcome: "success", effect: "no_opinion", output: "" },
    ]);
    const ids = (subtype: string) => of(subtype).map((message) => (message as { hook_id?: string }).hook_id);
    expect(ids("hook_response")).toEqual(ids("hook_started"));
    expect(new Set(ids("hook_started")).size).toBe(3);
    expect(hookEvents.map(({ detail }) => detail)).toEqual(["fine", "hush", undefined]);
  });

  it("do not come without it, and the log has them all the same", async () => {
    const { messages, hookEvents } = await calling(hooks, { includeHookEvents: false });
    expect(messages.filter((m) => m.type === "system" && m.subtype.startsWith("hook"))).toEqual([]);
    expect(hookEvents).toHaveLength(3);
  });
});

describe("a hook that hangs", () => {
  const events = ["PreToolUse", "PermissionRequest", "PostToolUse", "UserPromptSubmit", "Stop"] as const;

  it.each(events)("is left by interrupt() and by close(): %s", async (event) => {
    for (const how of ["interrupt", "close"] as const) {
      const door = gate();
      const { made } = echo();
      const hooks = { [event]: [{ hooks: [() => door.wait().then(silence)] }] } as HooksOption;
      const model = scriptedModel(once("echo"));
      const allowed = event === "PermissionRequest" ? {} : { allowedTools: ["echo"] };
      const session = live("go", { model, tools: [made], hooks, ...allowed });
      await door.reached;
      door.open();
      await session.query[how]();
      await session.ended;
      expect(session.results()).toMatchObject([
        {
          subtype: "error_during_execution",
          terminal_reason: how === "close" ? "closed" : "interrupted",
        },
      ]);
    }
  });
});

describe("messages of a stream", () => {
  it("each meet the hooks; one that is blocked has a result that says so, and the session goes on", async () => {
    const prompts: string[] = [];
    const model = streaming(async function* () {
      yield { type: "text", delta: "fine" };
      yield { type: "finish", stopReason: "end_turn" };
    });
    async function* stream() {
      yield said("one");
      yield said("secret");
      yield said("three");
    }
    const session = live(stream(), {
      model,
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              ({ prompt }) => {
                prompts.push(prompt);
                return prompt === "secret" ? { decision: "block", reason: "no secrets" } : {};
              },
            ],
          },
        ],
      },
    });
    await session.ended;
    expect(prompts).toEqual(["one", "secret", "three"]);
    expect(session.results()).toMatchObject([
      { subtype: "success", num_turns: 1 },
      {
        ...{ subtype: "error_during_execution", terminal_reason: "prompt_blocked", num_turns: 0 },
        errors: [expect.stringMatching(/no secrets/)],
      },
      { subtype: "success", num_turns: 1 },
    ]);
  });

  it("fed by streamInput() meet them too", async () => {
    const door = gate();
    const prompts: string[] = [];
    const model = streaming(async function* (request) {
      if (request === 1) await door.wait();
      yield { type: "text", delta: "fine" };
      yield { type: "finish", stopReason: "end_turn" };
    });
    const note: HookCallback<"UserPromptSubmit"> = ({ prompt }) => {
      prompts.push(prompt);
      return {};
    };
    const session = live("first", { model, hooks: { UserPromptSubmit: [{ hooks: [note] }] } });
    await door.reached;
    async function* more() {
      yield said("second");
    }
    await session.query.streamInput(more());
    door.open();
    await session.ended;
    expect(prompts).toEqual(["first", "second"]);
  });
});

describe("a hook of a canUseTool session", () => {
  it("PermissionRequest is asked before canUseTool, which hears what stays open", async () => {
    const order: string[] = [];
    const request: HookCallback<"PermissionRequest"> = ({ decision_reason, permission_mode }) => {
      order.push(`hook ${permission_mode} ${decision_reason !== ""}`);
      return {};
    };
    const { ran } = await calling(
      { PermissionRequest: [{ hooks: [request] }] },
      {
        canUseTool: (...args) => {
          order.push("person");
          return asking(...args);
        },
      },
    );
    expect(order).toEqual(["hook default true", "person"]);
    expect(ran).toHaveLength(1);
  });
});
