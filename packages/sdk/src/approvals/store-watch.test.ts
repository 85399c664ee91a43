import { describe, expect, it } from "vitest";
import type { Clock } from "../platform/index.ts";
import type { ApprovalStore } from "../protocol/index.ts";
import { ring } from "./bell.ts";
import { watchStore } from "./store-watch.ts";

/** A clock whose one timer fires when it is told to. */
function handClock() {
  const timers: { readonly ms: number; readonly fire: () => void }[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    timer(ms, fire) {
      const timer = { ms, fire };
      timers.push(timer);
      return { cancel: () => void timers.splice(timers.indexOf(timer) >>> 0, 1) };
    },
  };
  const step = async (): Promise<number> => {
    const timer = timers.shift();
    timer?.fire();
    await new Promise(setImmediate);
    return timer?.ms ?? -1;
  };
  return { clock, timers, step };
}

const store = (stamp?: () => Promise<string>) => (stamp === undefined ? {} : { stamp }) as ApprovalStore;

describe("watchStore", () => {
  it("looks less and less often, never more than a second apart, and often again after a change", async () => {
    const { clock, step } = handClock();
    let stamp = "a";
    let told = 0;
    const end = watchStore(
      store(async () => stamp),
      clock,
      () => {
        told += 1;
      },
    );
    const pauses: number[] = [];
    for (let i = 0; i < 14; i++) pauses.push(await step());
    // The first look, and once more for what the same tick of the store's clock may hide.
    expect(told).toBe(2);
    expect(pauses[0]).toBe(50);
    expect(Math.max(...pauses)).toBeLessThan(1_000);
    expect(pauses.at(-1)).toBe(700);
    stamp = "b";
    await step();
    expect(told).toBe(3);
    expect(await step()).toBe(50);
    end();
  });

  it("looks once for all listeners, tells each, and leaves no timer when the last one goes", async () => {
    const { clock, timers, step } = handClock();
    let looks = 0;
    const told: string[] = [];
    const same = store(async () => {
      looks += 1;
      return String(looks);
    });
    const ends = ["a", "b"].map((name) => watchStore(same, clock, () => void told.push(name)));
    await step();
    expect([looks, told]).toEqual([1, ["a", "b"]]);
    ends[0]?.();
    ends[0]?.();
    expect(timers).toHaveLength(1);
    ends[1]?.();
    expect(timers).toEqual([]);
    ring(same, "x");
    expect(told).toEqual(["a", "b"]);
  });

  it("hears at once of what this process does, and goes on through a store that fails or keeps no stamp", async () => {
    const { clock, step } = handClock();
    let told = 0;
    const failing = store(async () => Promise.reject(new Error("away")));
    const end = watchStore(failing, clock, () => {
      told += 1;
    });
    ring(failing, "x");
    expect(told).toBe(1);
    await step();
    expect(await step()).toBeGreaterThan(0);
    expect(told).toBe(1);
    end();
    const plain = store();
    const over = watchStore(plain, clock, () => {
      told += 1;
    });
    await step();
    await step();
    expect(told).toBe(3);
    over();
  });

  it("looks at a store that cannot be listened to", async () => {
    const { clock, timers, step } = handClock();
    let told = 0;
    const deaf: ApprovalStore = {
      ...store(),
      onChange() {
        throw new Error("too many watches");
      },
    };
    const end = watchStore(deaf, clock, () => {
      told += 1;
    });
    await step();
    await step();
    expect(told).toBe(2);
    end();
    expect(timers).toEqual([]);
  });
});
