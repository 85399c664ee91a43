import { describe, expect, it } from "vitest";
import type { LanguageModel, ModelPart } from "../model/index.ts";
import { cancelReason } from "../scheduler/index.ts";
import { fakeClock } from "../testing/index.ts";
import { askModel } from "./ask-model.ts";
import { loopKit, modelOf } from "./test-kit.ts";

const text = (delta: string): ModelPart => ({ type: "text", delta });
const end: ModelPart = { type: "finish", stopReason: "end_turn" };
const silence = () => new Promise<never>(() => {});
const settle = () => new Promise((resolve) => setImmediate(resolve));

function ask(
  model: LanguageModel,
  { signal = new AbortController().signal, pressure = () => undefined as Promise<void> | undefined } = {},
) {
  const clock = fakeClock();
  const kit = loopKit(model, { pressure });
  const deps = { ...kit.deps, platform: { ...kit.deps.platform, clock } };
  return { clock, kit, answer: askModel(deps, signal) };
}

const says = (before: readonly ModelPart[], seen: (signal: AbortSignal) => void = () => {}) =>
  modelOf(async function* (signal) {
    seen(signal);
    yield* before;
    await silence();
  });

describe("a model object that is silent", () => {
  it.each<[string, readonly ModelPart[], number]>([
    ["from the start", [], 0],
    ["in the middle", [text("half")], 1],
  ])(
    "%s has failed after a minute, may be asked again, and is told to stop",
    async (_, before, withdrawn) => {
      let seen: AbortSignal | undefined;
      const { clock, kit, answer } = ask(
        says(before, (signal) => {
          seen = signal;
        }),
      );
      await settle();
      clock.advance(59_999);
      await settle();
      expect(seen?.aborted).toBe(false);
      clock.advance(1);
      expect(await answer).toMatchObject({
        kind: "failed",
        message: expect.stringContaining("nothing came for 60 seconds"),
        failure: { kind: "stalled", retryable: true },
      });
      expect(seen?.aborted).toBe(true);
      expect(kit.withdrawn).toHaveLength(withdrawn);
      expect(clock.pending).toBe(0);
    },
  );

  it("has as long as it says, counted from its last part", async () => {
    const steps: (() => void)[] = [];
    const model = modelOf(async function* () {
      for (;;) {
        await new Promise<void>((resolve) => void steps.push(resolve));
        yield text("x");
      }
    });
    const { clock, answer } = ask({ ...model, stallMs: 5_000 });
    for (let i = 0; i < 4; i += 1) {
      await settle();
      clock.advance(4_000);
      steps[i]?.();
    }
    await settle();
    clock.advance(5_000);
    expect(await answer).toMatchObject({ kind: "failed", failure: { kind: "stalled" } });
    expect(steps).toHaveLength(5);
  });

  it("is not one whose reader is behind", async () => {
    let goOn = (): void => {};
    let waits = 1;
    const pressure = () =>
      waits-- > 0
        ? new Promise<void>((resolve) => {
            goOn = resolve;
          })
        : undefined;
    const { clock, answer } = ask(
      modelOf(() => [text("a"), end]),
      { pressure },
    );
    await settle();
    clock.advance(600_000);
    goOn();
    expect(await answer).toMatchObject({ kind: "done" });
    expect(clock.pending).toBe(0);
  });

  it("keeps no time where the model does so itself, and gets the caller's own signal", async () => {
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const model = says([], (signal) => {
      seen = signal;
    });
    const { clock, answer } = ask({ ...model, stallMs: Number.POSITIVE_INFINITY }, { signal: stop.signal });
    await settle();
    expect([clock.pending, seen === stop.signal]).toEqual([0, true]);
    stop.abort(cancelReason("interrupt"));
    expect(await answer).toMatchObject({ kind: "interrupted" });
  });

  it("is left at once by an interrupt, whose reason it is told", async () => {
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const { clock, answer } = ask(
      says([text("half")], (signal) => {
        seen = signal;
      }),
      { signal: stop.signal },
    );
    await settle();
    stop.abort(cancelReason("close"));
    expect(await answer).toMatchObject({ kind: "interrupted" });
    expect(seen?.reason).toBe(stop.signal.reason);
    expect(clock.pending).toBe(0);
  });
});
