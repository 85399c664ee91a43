import { describe, expect, it } from "vitest";
import type { CancelCode, UserMessage } from "../protocol/index.ts";
import { cancelReason } from "../scheduler/index.ts";
import { runUserTurn } from "./run-user-turn.ts";
import { loopKit, modelOf, textMessage } from "./test-kit.ts";

const signal = new AbortController().signal;
const call = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name })) });

describe("a user turn", () => {
  it("goes model, tools, model until nothing more is called, and writes its result", async () => {
    const kit = loopKit([call("a", "b"), call("c"), { text: "done", thinking: "hm" }]);
    kit.hear("go");
    expect(await runUserTurn(kit.deps, signal)).toEqual({
      kind: "completed",
      text: "done",
      stopReason: "end_turn",
    });
    expect(kit.requests.map((request) => request.messages.map((message) => message.role))).toEqual([
      ["user"],
      ["user", "assistant", "tool"],
      ["user", "assistant", "tool", "assistant", "tool"],
    ]);
    const requested = kit.events.flatMap((event) => (event.type === "model.requested" ? [event.data] : []));
    expect(requested).toEqual([
      { model: "scripted", turn: 1, messages: 1 },
      { model: "scripted", turn: 2, messages: 3 },
      { model: "scripted", turn: 3, messages: 5 },
    ]);
    expect(kit.result()).toMatchObject({
      ...{
        subtype: "success",
        result: "done",
        turns: 3,
        stopReason: "end_turn",
        terminalReason: "completed",
      },
      usage: { inputTokens: 10 + 30 + 50 },
    });
    expect(kit.events.at(-1)?.type).toBe("result");
  });

  it("ends before the request that maxTurns forbids, with every result there; the next message counts afresh", async () => {
    const kit = loopKit([call("a"), call("b"), "never", "second"], { maxTurns: 2 });
    kit.hear("go");
    expect(await runUserTurn(kit.deps, signal)).toEqual({ kind: "max_turns", limit: 2 });
    expect(kit.requests).toHaveLength(2);
    expect(kit.log.state.messages.map((message) => message.role)).toEqual([
      ...["user", "assistant", "tool", "assistant", "tool"],
    ]);
    expect(kit.result()).toMatchObject({ subtype: "error_max_turns", terminalReason: "max_turns", turns: 2 });
    expect(kit.result().errors?.[0]).toMatch(/maxTurns is 2/);
    kit.hear("again");
    expect((await runUserTurn(kit.deps, signal)).kind).toBe("completed");
  });

  it("tells what a model threw, keeps nothing of the answer, and can be asked again", async () => {
    const kit = loopKit([{ text: "half", error: "overloaded" }, { text: "half", breakOff: true }, "fine"]);
    kit.hear("go");
    expect(await runUserTurn(kit.deps, signal)).toMatchObject({
      ...{ kind: "model_error", message: expect.stringMatching(/overloaded/) },
    });
    expect(kit.result()).toMatchObject({
      ...{ subtype: "error_during_execution", terminalReason: "model_error" },
      errors: [expect.stringMatching(/overloaded/)],
    });
    expect(kit.log.state.messages).toHaveLength(1);
    // An answer that breaks off is tried again, and what it had shown is withdrawn.
    expect(await runUserTurn(kit.deps, signal)).toMatchObject({ kind: "completed", text: "fine" });
    expect(kit.events.filter((event) => event.type === "model.retried")).toHaveLength(1);
    expect(kit.withdrawn).toHaveLength(2);
    expect(kit.log.state.messages).toHaveLength(2);
  });

  it("says so where the history no longer fits into the model", async () => {
    const kit = loopKit([{ text: "half", stopReason: "context_overflow" }]);
    kit.hear("go");
    await runUserTurn(kit.deps, signal);
    expect(kit.result()).toMatchObject({
      subtype: "error_during_execution",
      terminalReason: "context_overflow",
    });
    expect(kit.result().errors?.[0]).toMatch(/no longer fits/);
  });

  it.each<readonly [CancelCode, string]>([
    ["interrupt", "interrupted"],
    ["new_message", "interrupted"],
    ["close", "closed"],
    ["abort", "aborted"],
  ])("cut short by %s in mid-stream: the partial text and what it cost stay", async (code, reason) => {
    const stop = new AbortController();
    const kit = loopKit(
      modelOf(async function* () {
        yield { type: "usage", usage: { inputTokens: 7 } };
        yield { type: "text", delta: "half an " };
        yield { type: "text", delta: "answer" };
        queueMicrotask(() => stop.abort(cancelReason(code)));
        await new Promise(() => {});
      }),
    );
    kit.hear("go");
    expect(await runUserTurn(kit.deps, stop.signal)).toEqual({ kind: "interrupted", code });
    expect(kit.log.state.messages.at(-1)).toMatchObject({
      role: "assistant",
      parts: [{ text: "half an answer" }],
    });
    expect(kit.result()).toMatchObject({ terminalReason: reason, usage: { inputTokens: 7 } });
  });

  it("cut short before it began: no request goes out", async () => {
    const stop = new AbortController();
    stop.abort(cancelReason("close"));
    const kit = loopKit(["never"]);
    kit.hear("go");
    await runUserTurn(kit.deps, stop.signal);
    expect(kit.requests).toEqual([]);
    expect(kit.result()).toMatchObject({
      subtype: "error_during_execution",
      terminalReason: "closed",
      turns: 0,
    });
  });

  it.each([
    [{ interrupted: { by: "denied_interrupt" } }, "denied_interrupt", /denied/],
    [{ interrupted: { by: "signal" } }, "aborted", /aborted/],
    [{ stop: { reason: "enough seen" } }, "hook_stopped", /enough seen/],
  ] as const)("a round that ends with %j ends the turn", async (round, reason, why) => {
    const kit = loopKit([call("a", "b"), "never"], { round: () => round });
    kit.hear("go");
    await runUserTurn(kit.deps, signal);
    expect(kit.requests).toHaveLength(1);
    expect(kit.result()).toMatchObject({ subtype: "error_during_execution", terminalReason: reason });
    expect(kit.result().errors?.[0]).toMatch(why);
    expect(kit.log.state.round).toBeUndefined();
  });

  it("finishes an open round of before first, and only what is missing of it", async () => {
    const ran: (readonly string[])[] = [];
    const kit = loopKit(["done"], {
      round: (ids) => {
        ran.push(ids);
        return {};
      },
    });
    kit.hear("go");
    const parts = ["x", "y"].map((id) => ({ type: "toolCall", id, name: "t", input: {} }) as const);
    kit.log.record("model.completed", {
      ...{
        model: "m",
        message: { role: "assistant", id: "a", parts },
        stopReason: "tool_use",
        durationMs: 1,
      },
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
    const done = { name: "t", outcome: "finished", content: [], isError: false } as const;
    kit.log.record("tool.finished", { callId: "x", ...done });
    await runUserTurn(kit.deps, signal);
    expect(ran).toEqual([["y"]]);
    expect(kit.requests[0]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
  });

  it("steers: a message comes in before the next request, behind the results", async () => {
    let due: UserMessage[] = [];
    const kit = loopKit([call("a"), "done"], {
      steer: () => due.splice(0),
      round: () => {
        due = [textMessage("also this")];
        return {};
      },
    });
    kit.hear("go");
    await runUserTurn(kit.deps, signal);
    expect(kit.requests[1]?.messages.at(-1)).toEqual(textMessage("also this"));
    expect(kit.requests[1]?.messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
    ]);
  });
});
