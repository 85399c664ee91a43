import type { Clock, Timer } from "./port.ts";

/** What ends a wait before its value is there. */
export interface WaitEnd {
  readonly signal: AbortSignal;
  /** What the wait rejects with when `signal` fires. */
  aborted(): Error;
  readonly limit?: { readonly ms: number; readonly clock: Clock; passed(): Error } | undefined;
}

/** What answers within so many turns of the microtask queue is given no timer and no listener. */
const GRACE = 3;

/**
 * Waits for `value`, but no longer than until `signal` fires or the limit passes. What it does later,
 * rejections included, is ignored.
 *
 * @throws what `aborted` or `passed` give, or what `value` rejects with.
 */
export function waitFor<T>(value: PromiseLike<T>, { signal, aborted, limit }: WaitEnd): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let over = false;
    let timer: Timer | undefined;
    let isListening = false;
    const finish = (): void => {
      over = true;
      timer?.cancel();
      if (isListening) signal.removeEventListener("abort", onAbort);
    };
    const stop = (why: () => Error): void => {
      finish();
      reject(why());
    };
    const onAbort = (): void => stop(aborted);
    const settle = (end: () => void): void => {
      if (over) return;
      // Until the signal is listened to it is looked at: it may have fired before the value came.
      if (!isListening && signal.aborted) onAbort();
      else {
        finish();
        end();
      }
    };
    const watch = (left: number): void => {
      if (over) return;
      if (signal.aborted) onAbort();
      else if (left > 0) void Promise.resolve(left - 1).then(watch);
      else {
        isListening = true;
        signal.addEventListener("abort", onAbort, { once: true });
        timer = limit?.clock.timer(limit.ms, () => stop(limit.passed));
      }
    };
    value.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error as Error)),
    );
    // Making the value may itself have fired the signal.
    watch(GRACE);
  });
}

/** Whether a value must be waited for. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && typeof (value as PromiseLike<T>).then === "function";
}
