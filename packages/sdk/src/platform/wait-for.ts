import type { Clock } from "./port.ts";

/** What ends a wait before its value is there. */
export interface WaitEnd {
  readonly signal: AbortSignal;
  /** What the wait rejects with when `signal` fires. */
  aborted(): Error;
  readonly limit?: { readonly ms: number; readonly clock: Clock; passed(): Error } | undefined;
}

/**
 * Waits for `value`, but no longer than until `signal` fires or the limit passes. What it does later,
 * rejections included, is ignored.
 *
 * @throws what `aborted` or `passed` give, or what `value` rejects with.
 */
export function waitFor<T>(value: PromiseLike<T>, { signal, aborted, limit }: WaitEnd): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const finish = (): void => {
      timer?.cancel();
      signal.removeEventListener("abort", onAbort);
    };
    const stop = (why: () => Error): void => {
      finish();
      reject(why());
    };
    const onAbort = (): void => stop(aborted);
    const timer = limit?.clock.timer(limit.ms, () => stop(limit.passed));
    signal.addEventListener("abort", onAbort, { once: true });
    value.then(
      (result) => {
        finish();
        resolve(result);
      },
      (error: unknown) => {
        finish();
        reject(error as Error);
      },
    );
    // Making the value may itself have fired the signal.
    if (signal.aborted) onAbort();
  });
}

/** Whether a value must be waited for. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && typeof (value as PromiseLike<T>).then === "function";
}
