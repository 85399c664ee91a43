import type { Envelope, SessionEvent } from "../protocol/index.ts";
import { CastellanError, isCastellanError } from "../protocol/index.ts";
import { apply } from "./apply.ts";
import type { SessionState } from "./state.ts";
import { emptyState } from "./state.ts";
import { upcast } from "./upcast.ts";

/**
 * The state that stored events add up to. Old versions are brought up to date on the way;
 * unknown events that are not critical only move `lastSeq`.
 *
 * @param from a state to go on from; it is changed and returned. Default: the empty one.
 * @throws `log_too_new` and `log_corrupt`, as `upcast()` and `apply()`; `log_corrupt` for a gap in `seq`.
 */
export function fold(events: Iterable<SessionEvent>, from: SessionState = emptyState()): SessionState {
  for (const event of events) {
    if (event.seq !== from.lastSeq + 1) throw gap(event, from);
    const current = upcast(event, releaseIn(event) ?? from.release);
    if (current !== undefined) move(from, current);
    from.lastSeq = event.seq;
  }
  return from;
}

/** A log that was edited by hand may hold anything: what does not fit is the log's fault, and is named. */
function move(state: SessionState, event: SessionEvent): void {
  try {
    apply(state, event);
  } catch (cause) {
    if (isCastellanError(cause)) throw cause;
    throw new CastellanError(
      "log_corrupt",
      `Event ${event.seq} (${event.type}) of session ${state.sessionId || "(not started)"} does not hold what its type says.`,
      { subject: event.type, cause },
    );
  }
}

function gap(event: SessionEvent, state: SessionState): CastellanError {
  return new CastellanError(
    "log_corrupt",
    `The log of session ${state.sessionId || "(not started)"} goes from event ${state.lastSeq} to event ${event.seq}.`,
    { subject: state.sessionId },
  );
}

/** What tells of its release may itself be too new to be read; the release still belongs into the error. */
function releaseIn(event: Envelope<string, unknown>): string | undefined {
  const release = (event.data as { release?: unknown } | undefined)?.release;
  return typeof release === "string" ? release : undefined;
}
