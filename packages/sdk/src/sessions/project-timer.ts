import type { EventData, SDKCommon, SDKTimer, SDKTimerCleared } from "../protocol/index.ts";
import type { SessionState } from "./state.ts";

export function timerSet(set: EventData<"timer.set">, common: SDKCommon): SDKTimer {
  return { type: "system", subtype: "timer_set", ...common, ...factsOf(set), due_at: set.at };
}

/** Nothing for a timer that the session does not know. */
export function timerFired(
  { timerId, due, late, next }: EventData<"timer.fired">,
  state: SessionState,
  common: SDKCommon,
): readonly SDKTimer[] {
  const known = state.timers.get(timerId);
  if (known === undefined) return [];
  return [
    {
      type: "system",
      subtype: "timer_fired",
      ...common,
      ...factsOf(known.set),
      due_at: due,
      ...(late === undefined ? {} : { late_ms: late }),
      ...(next === undefined ? {} : { next_at: next }),
    },
  ];
}

export function timerCleared(
  { timerId, by }: EventData<"timer.cleared">,
  common: SDKCommon,
): SDKTimerCleared {
  return { type: "system", subtype: "timer_cleared", ...common, timer_id: timerId, reason: by };
}

function factsOf({ timerId, kind, prompt, cron, zone }: EventData<"timer.set">) {
  return {
    timer_id: timerId,
    kind,
    ...(prompt === undefined ? {} : { prompt }),
    ...(cron === undefined ? {} : { cron }),
    ...(zone === undefined ? {} : { timezone: zone }),
  };
}
