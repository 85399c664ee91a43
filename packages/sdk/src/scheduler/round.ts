import { setMaxListeners } from "node:events";
import type { Clock } from "../platform/index.ts";
import type { CancelCode } from "../protocol/index.ts";
import { cancelCode, cancelReason } from "./cancel-reason.ts";
import { GRACE_MS } from "./outlast.ts";
import type { RoundOutcome } from "./types.ts";

/** What all calls of one round share. */
export interface Round {
  /** Fires with the session's signal, and when something inside the round ends it. */
  readonly signal: AbortSignal;
  /** Milliseconds that a call may still take once it is stopped. */
  readonly graceMs: number;
  /** What is left of them; all while `signal` has not fired. */
  graceLeft(): number;
  /** Why no further call may begin, as a clause; undefined while the round goes on. */
  ended(): string | undefined;
  denyAndInterrupt(): void;
  stop(reason: string): void;
  /** All that is left waits in the inbox: the turn ends, and the calls stay open. */
  pause(): void;
  isPaused(): boolean;
  /** The log cannot be written: everything that runs is stopped, and the round throws `error`. */
  fail(error: unknown): void;
  /** @throws what `fail` was given. */
  close(): RoundOutcome;
}

export function createRound(outer: AbortSignal, clock: Clock): Round {
  const inner = new AbortController();
  // Each call that runs listens once; more than ten of them are no leak.
  setMaxListeners(0, inner.signal);
  let by: "denied_interrupt" | undefined;
  let stop: { reason: string } | undefined;
  let paused: true | undefined;
  let failure: { error: unknown } | undefined;
  let endedAt: number | undefined;
  const end = (code: CancelCode): void => {
    if (inner.signal.aborted) return;
    endedAt = clock.monotonic();
    inner.abort(cancelReason(code));
  };
  const onAbort = (): void => end(cancelCode(outer));
  outer.addEventListener("abort", onAbort, { once: true });
  if (outer.aborted) onAbort();
  return {
    signal: inner.signal,
    graceMs: GRACE_MS,
    graceLeft: () =>
      endedAt === undefined ? GRACE_MS : Math.max(0, GRACE_MS - (clock.monotonic() - endedAt)),
    ended() {
      if (by !== undefined) return "another call was refused and the run interrupted with it";
      if (failure !== undefined) return "the session's log could not be written";
      if (inner.signal.aborted) return inner.signal.reason.message.replace(/\.$/, "").toLowerCase();
      return stop === undefined ? undefined : `a hook ended the run (${stop.reason})`;
    },
    denyAndInterrupt() {
      by = "denied_interrupt";
      end("interrupt");
    },
    stop(reason) {
      stop ??= { reason };
    },
    pause() {
      if (inner.signal.aborted) return;
      paused = true;
      end("close");
    },
    isPaused: () => paused === true,
    fail(error) {
      failure ??= { error };
      end("abort");
    },
    close() {
      outer.removeEventListener("abort", onAbort);
      if (failure !== undefined) throw failure.error;
      const interrupted = by ?? (outer.aborted ? "signal" : undefined);
      return {
        ...(interrupted === undefined ? {} : { interrupted: { by: interrupted } }),
        ...(stop === undefined ? {} : { stop }),
        ...(paused === true && interrupted === undefined ? { paused } : {}),
      };
    },
  };
}
