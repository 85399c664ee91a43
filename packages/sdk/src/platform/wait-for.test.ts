import { expect, it } from "vitest";
import { nodeClock } from "./clock.ts";
import { isThenable, waitFor } from "./wait-for.ts";

const never = new Promise<never>(() => {});
const aborted = (): Error => new Error("aborted");
const limit = (ms: number): { ms: number; clock: typeof nodeClock; passed(): Error } => ({
  ms,
  clock: nodeClock,
  passed: () => new Error("passed"),
});

it("gives what the value comes to", async () => {
  const { signal } = new AbortController();
  expect(await waitFor(Promise.resolve(1), { signal, aborted, limit: limit(60_000) })).toBe(1);
  await expect(waitFor(Promise.reject(new Error("own")), { signal, aborted })).rejects.toThrow("own");
});

it("ends with the signal, fired before or after, and with the limit", async () => {
  await expect(waitFor(never, { signal: AbortSignal.abort(), aborted })).rejects.toThrow("aborted");
  const controller = new AbortController();
  const waiting = waitFor(never, { signal: controller.signal, aborted, limit: limit(60_000) });
  controller.abort();
  await expect(waiting).rejects.toThrow("aborted");
  const { signal } = new AbortController();
  await expect(waitFor(never, { signal, aborted, limit: limit(1) })).rejects.toThrow("passed");
});

it("tells of the limit, also where telling of it fires the signal", async () => {
  const controller = new AbortController();
  const passed = (): Error => {
    controller.abort();
    return new Error("passed");
  };
  const end = { signal: controller.signal, aborted, limit: { ...limit(1), passed } };
  await expect(waitFor(never, end)).rejects.toThrow("passed");
});

it("starts no timer for what answers at once, and one for what does not", async () => {
  let timers = 0;
  const clock: typeof nodeClock = {
    ...nodeClock,
    timer: (...given) => {
      timers += 1;
      return nodeClock.timer(...given);
    },
  };
  const { signal } = new AbortController();
  const quick = async (): Promise<number> => await Promise.resolve(1);
  const end = { signal, aborted, limit: { ...limit(60_000), clock } };
  expect(await waitFor(quick(), end)).toBe(1);
  await expect(waitFor(Promise.reject(new Error("own")), end)).rejects.toThrow("own");
  expect(timers).toBe(0);
  const slow = new Promise<number>((resolve) => setImmediate(resolve, 2));
  expect(await waitFor(slow, end)).toBe(2);
  expect(timers).toBe(1);
});

it("ends with a signal that fires before a value that comes at once", async () => {
  for (const turns of [0, 1, 2, 3, 4, 5]) {
    const controller = new AbortController();
    const waiting = waitFor(after(turns), { signal: controller.signal, aborted });
    controller.abort();
    await expect(waiting).rejects.toThrow("aborted");
  }
});

async function after(turns: number): Promise<number> {
  for (let i = 0; i < turns; i++) await undefined;
  return turns;
}

it("tells what must be waited for", () => {
  const thenable = new Map([["then", () => 1]]);
  expect(isThenable(Object.fromEntries(thenable))).toBe(true);
  expect(isThenable(never)).toBe(true);
  for (const value of [null, 1, () => 1, {}, Object.fromEntries(new Map([["then", 1]]))]) {
    expect(isThenable(value)).toBe(false);
  }
});
