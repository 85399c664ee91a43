import type { EventData } from "../protocol/index.ts";
import { withEntry, withoutEntry } from "./shared-map.ts";
import { NO_TIMERS, type SessionState, type TimerState } from "./state.ts";

/** A timer stands; the same id again replaces it. */
export function setTimer(state: SessionState, set: EventData<"timer.set">): void {
  put(state, set.timerId, {
    set,
    at: set.at,
    ofRound: set.callId !== undefined && state.round !== undefined,
  });
}

/** It was due. What it has to say is said later, by a message or the result of its call. */
export function fireTimer(state: SessionState, fired: EventData<"timer.fired">): void {
  const known = state.timers.get(fired.timerId);
  if (known !== undefined) put(state, fired.timerId, { ...known, at: fired.next ?? known.at, fired });
}

/** It will not fire any more. */
export function clearTimer(state: SessionState, { timerId }: EventData<"timer.cleared">): void {
  state.timers = withoutEntry(state.timers, timerId, NO_TIMERS);
}

/** The message of a timer that had fired is in the history. */
export function hearTimer(state: SessionState, timerId: string): void {
  const known = state.timers.get(timerId);
  if (known?.fired === undefined) return;
  const { fired, ...rest } = known;
  if (fired.next === undefined) clearTimer(state, { timerId, by: "deleted" });
  else put(state, timerId, rest);
}

/** All calls of a round have their results: none of them rests any more, and ids of calls may begin anew. */
export function leaveRound(state: SessionState): void {
  for (const [timerId, timer] of state.timers) {
    if (timer.set.kind === "sleep") state.timers = withoutEntry(state.timers, timerId, NO_TIMERS);
    else if (timer.ofRound) put(state, timerId, { ...timer, ofRound: false });
  }
}

function put(state: SessionState, timerId: string, timer: TimerState): void {
  state.timers = withEntry(state.timers, timerId, timer);
}
