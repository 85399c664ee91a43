import { describe, expect, it } from "vitest";
import type { LanguageModel, ModelPart } from "../model/index.ts";
import { cancelReason } from "../scheduler/index.ts";
import { askModel } from "./ask-model.ts";
import { type LoopKitOptions, loopKit, modelOf } from "./test-kit.ts";

const text = (delta: string): ModelPart => ({ type: "text", delta });
const end: ModelPart = { type: "finish", stopReason: "end_turn" };
const silence = () => new Promise<never>(() => {});

function ask(
  model: LanguageModel,
  signal: AbortSignal = new AbortController().signal,
  options: LoopKitOptions = {},
) {
  const kit = loopKit(model, options);
  return { kit, answer: askModel(kit.deps, signal) };
}

describe("asking the model", () => {
  it("joins an answer, with its usage and the time it took", async () => {
    const { kit, answer } = ask(
      modelOf(() => [text("a"), text("b"), { type: "usage", usage: { inputTokens: 3 } }, end]),
    );
    expect(await answer).toMatchObject({
      kind: "done",
      completion: { message: { parts: [{ text: "ab" }] }, usage: { inputTokens: 3 }, stopReason: "end_turn" },
      durationMs: expect.any(Number),
    });
    expect(kit.stream.map((message) => message.event.type)).toEqual([
      ...["message_start", "content_block_start", "content_block_delta", "content_block_delta"],
      ...["content_block_stop", "message_stop"],
    ]);
  });

  const throwing = (error: unknown) =>
    modelOf(function* () {
      yield text("half");
      throw error;
    });

  it.each<readonly [string, LanguageModel, RegExp]>([
    ["throws in the middle", throwing(new Error("socket closed")), /The model test failed: socket closed/],
    ["throws a text", throwing("gone"), /failed: gone/],
    ["throws nothing", throwing(undefined), /failed: it threw something that is not an Error/],
    ["ends without a finish", modelOf(() => [text("half")]), /broke off/],
    ["streams nothing at all", modelOf(() => []), /broke off/],
    ["goes on behind its end", modelOf(() => [end, text("more")]), /goes on behind its end/],
    ["streams what is no part", modelOf(() => [undefined as never, end]), /The model test failed/],
    [
      "gives no stream",
      { id: "test", provider: "t", stream: () => undefined as never },
      /The model test failed/,
    ],
    [
      "throws before it streams",
      {
        ...{ id: "test", provider: "t" },
        stream() {
          throw new Error("no key");
        },
      },
      /failed: no key/,
    ],
  ])("a model that %s has failed, and what it had shown is withdrawn", async (_, model, message) => {
    const { kit, answer } = ask(model);
    expect(await answer).toMatchObject({ kind: "failed", message: expect.stringMatching(message) });
    // Nothing is shown before the first part; what was shown is taken back, and never called finished.
    const [shown] = kit.stream;
    expect(kit.withdrawn.map((message) => message.withdrawn_uuid)).toEqual(
      shown === undefined ? [] : [shown.uuid],
    );
    expect(kit.stream.map((message) => message.event.type)).not.toContain("message_stop");
  });

  it.each<readonly [string, (signal: AbortSignal) => AsyncIterable<ModelPart>]>([
    [
      "heeds its signal",
      async function* (signal) {
        yield text("half");
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("AbortError")), { once: true });
        });
      },
    ],
    [
      "ignores its signal",
      async function* () {
        yield text("half");
        await silence();
      },
    ],
  ])("an interrupt keeps the text so far and no call, of a model that %s", async (_, rest) => {
    const stop = new AbortController();
    const { kit, answer } = ask(
      modelOf(async function* (signal) {
        yield { type: "toolStart", id: "c", name: "Bash" };
        yield { type: "toolEnd", id: "c", inputText: "{}" };
        yield* rest(signal);
      }),
      stop.signal,
    );
    while (
      !kit.stream.some((message) => message.event.type === "content_block_delta" && message.event.index === 1)
    ) {
      await new Promise(setImmediate);
    }
    stop.abort(cancelReason("interrupt"));
    expect(await answer).toMatchObject({
      kind: "interrupted",
      partial: { message: { parts: [{ type: "text", text: "half" }] } },
    });
    const told = kit.stream.length;
    expect(kit.stream.at(-1)?.event.type).toBe("message_stop");
    await new Promise(setImmediate);
    expect(kit.stream).toHaveLength(told);
  });

  it("a signal that has fired already wins over an answer", async () => {
    const stop = new AbortController();
    stop.abort(cancelReason("close"));
    const { answer } = ask(
      modelOf(() => [text("a"), end]),
      stop.signal,
    );
    expect(await answer).toMatchObject({ kind: "interrupted", partial: { message: { parts: [] } } });
  });

  it("holds the model while the reader is behind, and can still be interrupted then", async () => {
    const stop = new AbortController();
    let given = 0;
    const model = modelOf(function* () {
      for (;;) {
        given += 1;
        yield text("x");
      }
    });
    const { answer } = ask(model, stop.signal, { pressure: () => (given >= 3 ? silence() : undefined) });
    await new Promise(setImmediate);
    expect(given).toBe(3);
    stop.abort(cancelReason("interrupt"));
    expect(await answer).toMatchObject({ kind: "interrupted" });
  });
});
