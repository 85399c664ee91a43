import type { EventData } from "../protocol/index.ts";
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
  if (state.timers.has(timerId)) keep(state, ({ set }) => (set.timerId === timerId ? undefined : "same"));
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
  if (state.timers.size === 0) return;
  keep(state, (timer) => {
    if (timer.set.kind === "sleep") return undefined;
    return timer.ofRound ? { ...timer, ofRound: false } : "same";
  });
}

function put(state: SessionState, timerId: string, timer: TimerState): void {
  state.timers = new Map(state.timers).set(timerId, timer);
}

function keep(state: SessionState, change: (timer: TimerState) => TimerState | "same" | undefined): void {
  const left = new Map<string, TimerState>();
  for (const [timerId, timer] of state.timers) {
    const now = change(timer);
    if (now !== undefined) left.set(timerId, now === "same" ? timer : now);
  }
  state.timers = left.size === 0 ? NO_TIMERS : left;
}
