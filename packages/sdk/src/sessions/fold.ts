import type { Envelope, SessionEvent } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
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
    const current = upcast(event, from.release ?? releaseIn(event));
    if (current !== undefined) apply(from, current);
    from.lastSeq = event.seq;
  }
  return from;
}

function gap(event: SessionEvent, state: SessionState): CastellanError {
  return new CastellanError(
    "log_corrupt",
    `The log of session ${state.sessionId || "(not started)"} goes from event ${state.lastSeq} to event ${event.seq}.`,
    { subject: state.sessionId },
  );
}

/** The first event may itself be too new to be read; its release still belongs into the error. */
function releaseIn(event: Envelope<string, unknown>): string | undefined {
  const release = (event.data as { release?: unknown } | undefined)?.release;
  return typeof release === "string" ? release : undefined;
}
