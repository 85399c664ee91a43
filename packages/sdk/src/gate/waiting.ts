import type { Clock } from "../platform/index.ts";
import { isThenable, waitFor } from "../platform/index.ts";
import { errorText } from "../protocol/index.ts";

/** Thrown inside the gate when the run was aborted; it leaves the gate as the verdict `cancelled`. */
export class Cancelled extends Error {}

/** Thrown inside the gate when something took longer than it may. */
export class TooSlow extends Error {}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Cancelled();
}

export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** What an unknown thing that was thrown says, in at most 500 characters. */
export function messageOf(error: unknown): string {
  return errorText(error).slice(0, 500);
}

export interface Limit {
  readonly ms: number;
  readonly clock: Clock;
}

/**
 * Waits for `value`, but no longer than until `signal` fires or the limit passes.
 * What it does later, rejections included, is ignored.
 *
 * Throws, or rejects with, Cancelled, TooSlow, or what `value` rejects with.
 */
export function wait<T>(value: T | PromiseLike<T>, signal: AbortSignal, limit?: Limit): T | Promise<T> {
  if (!isThenable(value)) {
    throwIfAborted(signal);
    return value;
  }
  return waitFor(value, {
    signal,
    aborted: cancelled,
    limit: limit && { ...limit, passed: tooSlow },
  });
}

const cancelled = (): Error => new Cancelled();
const tooSlow = (): Error => new TooSlow();
