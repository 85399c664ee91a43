import type { SessionTimer } from "../../protocol/index.ts";
import type { SessionState, TimerState } from "../../sessions/index.ts";

type Timers = Pick<SessionState, "timers">;

/** Timers that have yet to fire, the next one first. */
export function pendingTimers({ timers }: Timers): readonly SessionTimer[] {
  if (timers.size === 0) return NONE;
  const pending = [...timers.values()].filter(isPending);
  return pending.sort((a, b) => a.at - b.at).map(shownTimer);
}

/** The timer on which a call of the open round rests, or has rested. */
export function restingCall({ timers }: Timers, callId: string): TimerState | undefined {
  if (timers.size === 0) return undefined;
  return [...timers.values()].find(
    ({ set, ofRound }) => ofRound && set.kind === "sleep" && set.callId === callId,
  );
}

export function shownTimer({ set, at }: Pick<TimerState, "set" | "at">): SessionTimer {
  const { timerId: id, kind, prompt, cron, zone } = set;
  return {
    ...{ id, kind, at },
    ...(prompt === undefined ? {} : { prompt }),
    ...(cron === undefined ? {} : { cron }),
    ...(zone === undefined ? {} : { zone }),
  };
}

/** A cron that has fired and is not heard yet comes again; nothing else does. */
function isPending({ fired }: TimerState): boolean {
  return fired === undefined || fired.next !== undefined;
}

const NONE: readonly SessionTimer[] = [];
