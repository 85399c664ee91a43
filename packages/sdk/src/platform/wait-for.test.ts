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

it("tells what must be waited for", () => {
  const thenable = new Map([["then", () => 1]]);
  expect(isThenable(Object.fromEntries(thenable))).toBe(true);
  expect(isThenable(never)).toBe(true);
  for (const value of [null, 1, () => 1, {}, Object.fromEntries(new Map([["then", 1]]))]) {
    expect(isThenable(value)).toBe(false);
  }
});
