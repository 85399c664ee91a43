import type { Clock } from "../platform/index.ts";
import { AbortError } from "../protocol/index.ts";

/** Waits `ms`. @throws AbortError once the signal fires, also at once. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer?.cancel();
      reject(new AbortError("The model request was aborted."));
    };
    const timer = ms > 0 && !signal.aborted ? clock.timer(ms, done) : undefined;
    function done(): void {
      signal.removeEventListener("abort", abort);
      resolve();
    }
    if (signal.aborted) abort();
    else if (timer === undefined) resolve();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
