import { describe, expect, it } from "vitest";
import { compileHooks } from "../hooks/index.ts";
import type { HookCallback, HooksOption, UserMessage } from "../protocol/index.ts";
import { cancelReason } from "../scheduler/index.ts";
import type { LoopDeps } from "./deps.ts";
import { runUserTurn } from "./run-user-turn.ts";
import { type LoopKit, type LoopKitOptions, loopKit, textMessage } from "./test-kit.ts";

const live = () => new AbortController().signal;

interface HookedKit extends LoopKit {
  readonly notes: string[];
  readonly all: LoopDeps;
  /** The messages of the last request, as texts. */
  sent(): string[];
}

function kitWith(script: readonly string[], hooks: HooksOption, options: LoopKitOptions = {}): HookedKit {
  const kit = loopKit(script, options);
  const notes: string[] = [];
  const input = () => ({
    session_id: "s",
    transcript_path: "",
    cwd: "/w",
    permission_mode: "default" as const,
  });
  const loopHooks = {
    table: compileHooks(hooks),
    input,
    notify: (_: string, message: string) => void notes.push(message),
  };
  return {
    ...kit,
    notes,
    all: { ...kit.deps, hooks: loopHooks },
    sent: () =>
      (kit.requests.at(-1)?.messages ?? []).map((message) =>
        message.parts.map((part) => (part.type === "text" ? part.text : part.type)).join(""),
      ),
  };
}

const outcomes = (kit: LoopKit) =>
  kit.events.flatMap((event) => (event.type === "hook.ran" ? [[event.data.event, event.data.outcome]] : []));
const users = (kit: LoopKit) => kit.log.state.messages.filter((message) => message.role === "user");

describe("UserPromptSubmit hooks", () => {
  const prompt = (...hooks: HookCallback<"UserPromptSubmit">[]): HooksOption => ({
    UserPromptSubmit: [{ hooks }],
  });
  const adding = (additionalContext: string) => () => ({
    hookSpecificOutput: { hookEventName: "UserPromptSubmit" as const, additionalContext },
  });

  it("see the text before it is recorded, and add context behind it in order", async () => {
    const seen: unknown[] = [];
    const kit = kitWith(
      ["done"],
      prompt((input, id) => {
        seen.push(input.prompt, id, kit.log.state.messages.length);
        return adding("one")();
      }, adding("two")),
    );
    const image = { type: "file", mediaType: "image/png", ref: { kind: "data", base64: "" } } as const;
    const message: UserMessage = { role: "user", parts: [{ type: "text", text: "look" }, image] };
    expect(await runUserTurn(kit.all, live(), message)).toMatchObject({ kind: "completed" });
    expect(seen).toEqual(["look", undefined, 0]);
    expect(kit.sent()).toEqual(["lookfile", "onetwo"]);
    expect(kit.events.filter((event) => event.type === "user.message").map((event) => event.data)).toEqual([
      { message },
      { message: expect.anything(), synthetic: true },
    ]);
  });

  it("that block keep the message out of the log and from the model; the next one is heard", async () => {
    const kit = kitWith(
      ["first", "second"],
      prompt(({ prompt: text }) => (text === "secret" ? { decision: "block", reason: "no secrets" } : {})),
    );
    await runUserTurn(kit.all, live(), textMessage("hello"));
    expect(await runUserTurn(kit.all, live(), textMessage("secret"))).toEqual({
      kind: "prompt_blocked",
      reason: "no secrets",
    });
    expect(kit.result()).toMatchObject({
      ...{ subtype: "error_during_execution", terminalReason: "prompt_blocked", turns: 0 },
      errors: [expect.stringMatching(/blocked the message: no secrets/)],
    });
    await runUserTurn(kit.all, live(), textMessage("bye"));
    expect(kit.sent()).toEqual(["hello", "first", "bye"]);
    expect(JSON.stringify(kit.events)).not.toContain('"text":"secret"');
  });

  it("that end the run do so before the model is asked", async () => {
    const kit = kitWith(
      ["never"],
      prompt(() => ({ continue: false, stopReason: "closed today" })),
    );
    expect(await runUserTurn(kit.all, live(), textMessage("hi"))).toEqual({
      kind: "hook_stopped",
      reason: "closed today",
    });
    expect([kit.requests, users(kit)]).toEqual([[], []]);
  });

  it("that fail let it pass, or block with onFailure", async () => {
    const broken = () => Promise.reject(new Error("broken"));
    const kit = kitWith(
      ["done"],
      prompt(broken, () => 7 as never),
    );
    expect((await runUserTurn(kit.all, live(), textMessage("hi"))).kind).toBe("completed");
    expect(kit.notes).toHaveLength(2);
    const strict = kitWith(["never"], { UserPromptSubmit: [{ hooks: [broken], onFailure: "block" }] });
    expect(await runUserTurn(strict.all, live(), textMessage("hi"))).toMatchObject({
      kind: "prompt_blocked",
      reason: expect.stringMatching(/threw: broken/),
    });
  });

  it("that hang are left when the run is stopped, and the message is not kept", async () => {
    const stop = new AbortController();
    const kit = kitWith(
      ["never"],
      prompt(() => {
        stop.abort(cancelReason("close"));
        return new Promise(() => {});
      }),
    );
    expect(await runUserTurn(kit.all, stop.signal, textMessage("hi"))).toEqual({
      kind: "interrupted",
      code: "close",
    });
    expect(users(kit)).toEqual([]);
    expect(kit.result()).toMatchObject({ terminalReason: "closed", turns: 0 });
  });

  it("hear what comes into a running turn: one is blocked, the others come in", async () => {
    let due = ["keep", "drop", "this"].map(textMessage);
    const kit = kitWith(
      ["done"],
      prompt(({ prompt: text }) => (text === "drop" ? { decision: "block", reason: "no" } : {})),
      { steer: () => due.splice(0) },
    );
    await runUserTurn(kit.all, live(), textMessage("go"));
    expect(kit.sent()).toEqual(["go", "keep", "this"]);
    expect(kit.notes).toEqual([expect.stringMatching(/blocked a message: no/)]);
    due = ["end", "behind"].map(textMessage);
    let back: readonly UserMessage[] = [];
    const ending = kitWith(
      ["never"],
      prompt(({ prompt: text }) => (text === "end" ? { continue: false } : {})),
      {
        steer: () => due.splice(0),
        giveBack(messages) {
          back = messages;
        },
      },
    );
    expect(await runUserTurn(ending.all, live(), textMessage("go"))).toMatchObject({ kind: "hook_stopped" });
    expect(users(ending)).toHaveLength(1);
    expect(ending.notes).toEqual([expect.stringMatching(/its hook ended the run/)]);
    expect(back).toEqual([textMessage("behind")]);
  });
});

describe("Stop hooks", () => {
  const stops = (...hooks: HookCallback<"Stop">[]): HooksOption => ({ Stop: [{ hooks }] });

  it("fire where the run would end with success, and let it go", async () => {
    const seen: unknown[] = [];
    const kit = kitWith(
      ["all done"],
      stops((input) => {
        seen.push(input.stop_hook_active, input.last_assistant_message);
        return { decision: "approve" };
      }),
    );
    expect(await runUserTurn(kit.all, live(), textMessage("go"))).toMatchObject({
      kind: "completed",
      text: "all done",
    });
    expect(seen).toEqual([false, "all done"]);
    expect(outcomes(kit)).toEqual([["Stop", "no_opinion"]]);
  });

  it("that block send the model on with their reasons", async () => {
    const active: boolean[] = [];
    const kit = kitWith(
      ["first", "second"],
      stops(
        ({ stop_hook_active }) => {
          active.push(stop_hook_active);
          return stop_hook_active ? {} : { decision: "block", reason: "run the tests" };
        },
        ({ stop_hook_active }) => (stop_hook_active ? {} : { decision: "block", reason: "and the linter" }),
      ),
    );
    expect(await runUserTurn(kit.all, live(), textMessage("go"))).toMatchObject({ text: "second" });
    expect(kit.sent()).toEqual(["go", "first", expect.stringMatching(/run the tests; and the linter$/)]);
    expect(active).toEqual([false, true]);
    expect(kit.result()).toMatchObject({ subtype: "success", result: "second", turns: 2 });
  });

  it("block eight times in a row at most; what a person says begins anew", async () => {
    let calls = 0;
    const always = () => {
      calls += 1;
      return { decision: "block" as const, reason: "more" };
    };
    const script = Array.from({ length: 30 }, (_, i) => `answer ${i + 1}`);
    const kit = kitWith(script, stops(always));
    expect(await runUserTurn(kit.all, live(), textMessage("go"))).toMatchObject({ text: "answer 9" });
    expect([calls, kit.requests.length]).toEqual([9, 9]);
    expect(kit.notes.join()).toMatch(/8 times in a row/);
    let due: UserMessage[] = [];
    const steered = kitWith(script, stops(always), { steer: () => due.splice(0) });
    const steering: HookCallback<"Stop"> = () => {
      if (steered.requests.length === 5) due = [textMessage("also this")];
      return {};
    };
    const both = { ...steered.all, hooks: steered.all.hooks && { ...steered.all.hooks } };
    Object.assign(both.hooks ?? {}, { table: compileHooks(stops(always, steering)) });
    expect(await runUserTurn(both, live(), textMessage("go"))).toMatchObject({ text: "answer 14" });
  });

  it("do not lift maxTurns", async () => {
    const kit = kitWith(
      ["one", "two", "never"],
      stops(() => ({ decision: "block" })),
      { maxTurns: 2 },
    );
    expect(await runUserTurn(kit.all, live(), textMessage("go"))).toEqual({ kind: "max_turns", limit: 2 });
  });

  it("do not fire for another end", async () => {
    const never = () => {
      throw new Error("fired");
    };
    const kit = kitWith([], stops(never));
    expect((await runUserTurn(kit.all, live(), textMessage("go"))).kind).toBe("model_error");
    expect(outcomes(kit)).toEqual([]);
  });

  it("may end the run, fail, and hang until the run is stopped", async () => {
    const ended = kitWith(
      ["done"],
      stops(() => ({ continue: false, stopReason: "no more" })),
    );
    expect(await runUserTurn(ended.all, live(), textMessage("go"))).toEqual({
      kind: "hook_stopped",
      reason: "no more",
    });
    const failing = kitWith(
      ["done"],
      stops(() => "block" as never),
    );
    expect((await runUserTurn(failing.all, live(), textMessage("go"))).kind).toBe("completed");
    expect(failing.notes).toHaveLength(1);
    const stop = new AbortController();
    const hanging = kitWith(
      ["done"],
      stops(() => {
        stop.abort(cancelReason("interrupt"));
        return new Promise(() => {});
      }),
    );
    expect(await runUserTurn(hanging.all, stop.signal, textMessage("go"))).toEqual({
      kind: "interrupted",
      code: "interrupt",
    });
  });
});
