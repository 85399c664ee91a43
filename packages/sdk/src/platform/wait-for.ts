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
export function waitFor<T>(value: PromiseLike<T>, end: WaitEnd): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const wait = new Wait(end, reject);
    value.then(
      (result) => {
        if (wait.settle()) resolve(result);
      },
      (error: unknown) => {
        if (wait.settle()) reject(error as Error);
      },
    );
    // Making the value may itself have fired the signal.
    wait.watch(GRACE);
  });
}

/** It listens itself: a wait for a person may last for days, in many sessions at once. */
class Wait {
  readonly #end: WaitEnd;
  readonly #reject: (why: Error) => void;
  #isOver = false;
  #timer: Timer | undefined;
  #isListening = false;

  constructor(end: WaitEnd, reject: (why: Error) => void) {
    this.#end = end;
    this.#reject = reject;
  }

  /** The value is there. False where the wait was over before. */
  settle(): boolean {
    if (this.#isOver) return false;
    // Until the signal is listened to it is looked at: it may have fired before the value came.
    if (!this.#isListening && this.#end.signal.aborted) {
      this.handleEvent();
      return false;
    }
    this.#finish();
    return true;
  }

  watch(left: number): void {
    if (this.#isOver) return;
    const { signal, limit } = this.#end;
    if (signal.aborted) this.handleEvent();
    else if (left > 0) void Promise.resolve(left - 1).then((fewer) => this.watch(fewer));
    else {
      this.#isListening = true;
      signal.addEventListener("abort", this, { once: true });
      this.#timer = limit?.clock.timer(limit.ms, () => this.#stop(() => limit.passed()));
    }
  }

  handleEvent(): void {
    this.#stop(() => this.#end.aborted());
  }

  /** Over before `why` is asked: whoever gives it may fire the signal with it. */
  #stop(why: () => Error): void {
    this.#finish();
    this.#reject(why());
  }

  #finish(): void {
    this.#isOver = true;
    this.#timer?.cancel();
    if (this.#isListening) this.#end.signal.removeEventListener("abort", this);
  }
}

/** Whether a value must be waited for. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && typeof (value as PromiseLike<T>).then === "function";
}
