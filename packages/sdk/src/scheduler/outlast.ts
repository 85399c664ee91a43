import type { Clock } from "../platform/index.ts";
import type { CancelCode } from "../protocol/index.ts";
import { cancelCode } from "./cancel-reason.ts";

/** How a call ended, and what had stopped it before, if anything. */
export type CallEnd = { readonly stopped?: CancelCode } & (
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  /** It did not settle within the grace; it may still be at work. */
  | { readonly kind: "hung" }
);

/** How long a stopped call may still answer. */
export const GRACE_MS = 2_000;

/**
 * Waits for a call, but never longer than its time limit or an abort, each plus a grace.
 * Never rejects; what the call does after that is ignored.
 */
export function outlast(
  call: Promise<unknown>,
  options: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number | undefined;
    /** Milliseconds that a stopped call may still take. */
    readonly graceMs: number;
    readonly clock: Clock;
    /** Tells the call to stop. */
    readonly stop: (code: CancelCode) => void;
  },
): Promise<CallEnd> {
  const { signal, timeoutMs, graceMs, clock } = options;
  return new Promise((resolve) => {
    let stopped: CancelCode | undefined;
    let grace: { cancel(): void } | undefined;
    const stop = (code: CancelCode): void => {
      if (stopped !== undefined) return;
      stopped = code;
      grace = clock.timer(graceMs, () => finish({ kind: "hung" }));
      options.stop(code);
    };
    const onAbort = (): void => stop(cancelCode(signal));
    const limit = timeoutMs === undefined ? undefined : clock.timer(timeoutMs, () => stop("timeout"));
    const finish = (end: CallEnd): void => {
      limit?.cancel();
      grace?.cancel();
      signal.removeEventListener("abort", onAbort);
      resolve(stopped === undefined ? end : { ...end, stopped });
    };
    signal.addEventListener("abort", onAbort, { once: true });
    call.then(
      (value) => finish({ kind: "returned", value }),
      (error: unknown) => finish({ kind: "threw", error }),
    );
    if (signal.aborted) onAbort();
  });
}
