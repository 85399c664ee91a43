import type { Clock, Timer } from "../platform/index.ts";
import { AbortError } from "../protocol/index.ts";

/** Waits for what a provider does, until it is aborted or too long silent. */
export interface Watch {
  /** For `doStream`: fires with the caller's signal, and when the watch ends early. */
  readonly signal: AbortSignal;
  /** @throws AbortError once the caller's signal fires; what `stalled()` makes after `ms` without an end. */
  wait<T>(step: PromiseLike<T>): Promise<T>;
  /** `whole`: nothing is left to stop. */
  end(whole: boolean): void;
}

export function createWatch(outer: AbortSignal, clock: Clock, ms: number, stalled: () => Error): Watch {
  const inner = new AbortController();
  let waiting: ((error: Error) => void) | undefined;
  let since = 0;
  let timer: Timer | undefined;

  function stop(error: Error): void {
    waiting?.(error);
    inner.abort(error);
  }
  const abort = (): void => stop(aborted());
  function look(): void {
    const silent = waiting === undefined ? 0 : clock.monotonic() - since;
    if (silent >= ms) stop(stalled());
    else timer = clock.timer(ms - silent, look);
  }

  outer.addEventListener("abort", abort, { once: true });
  return {
    signal: inner.signal,
    wait(step) {
      return new Promise((resolve, reject) => {
        since = clock.monotonic();
        // One timer for a whole answer, moved on when it fires.
        timer ??= clock.timer(ms, look);
        waiting = reject;
        step.then(
          (value) => {
            waiting = undefined;
            resolve(value);
          },
          (error: unknown) => {
            waiting = undefined;
            reject(outer.aborted ? aborted() : error);
          },
        );
      });
    },
    end(whole) {
      timer?.cancel();
      waiting = undefined;
      outer.removeEventListener("abort", abort);
      if (!whole) inner.abort();
    },
  };
}

export function aborted(): AbortError {
  return new AbortError("The model request was aborted.");
}

/** The one thing that is needed of a ReadableStream, or of anything that can be iterated. */
export interface Source {
  next(): PromiseLike<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  cancel(): void;
}

/** @throws TypeError for what cannot be read. */
export function sourceOf(stream: unknown): Source {
  const given = stream as Partial<ReadableStream<unknown> & AsyncIterable<unknown>> | null | undefined;
  if (typeof given?.getReader === "function") {
    const reader = given.getReader() as ReadableStreamDefaultReader<unknown>;
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(() => {}) };
  }
  const iterator = given?.[Symbol.asyncIterator]?.();
  if (iterator === undefined) throw new TypeError("doStream() gave no stream.");
  return {
    next: () => iterator.next(),
    cancel: () => void iterator.return?.().catch(() => {}),
  };
}
