import { type CronTimes, MOST_TIMERS, readCron } from "../../builtins/index.ts";
import type { Timer } from "../../platform/index.ts";
import { type EventData, errorText, type SleepEnd, type TimerClear } from "../../protocol/index.ts";
import { isSessionEnd } from "../../scheduler/index.ts";
import type { TimerState } from "../../sessions/index.ts";
import { restingCall, shownTimer } from "./pending-timers.ts";
import { createSleepers } from "./sleepers.ts";
import { createStoredWakes } from "./stored-wakes.ts";
import { timerMessage } from "./timer-message.ts";
import type { LiveTimers, TimerParts } from "./timer-types.ts";

/** The clock on the wall may be set: it is looked at once in so many milliseconds. */
const LOOK_MS = 60_000;
/** What comes later than this is told to be late, in milliseconds. */
const LATE_MS = 60_000;

/** Reads and writes the timers of the log, and tells the store. */
export function createLiveTimers(parts: TimerParts, hasNews: () => boolean): LiveTimers {
  const { platform, log, inbox, notify } = parts;
  const { clock, ids } = platform;
  const stored = createStoredWakes(parts);
  const crons = new Map<string, CronTimes>();
  /** When what was set by a stretch of time is over on the clock that never jumps. */
  const ends = new Map<string, number>();
  let alarm: Timer | undefined;
  let isClosed = false;

  const all = (): TimerState[] => [...log.state.timers.values()];
  const isOver = ({ set, at }: TimerState): boolean =>
    clock.now() >= at || clock.monotonic() >= (ends.get(set.timerId) ?? Number.POSITIVE_INFINITY);
  const isToTell = (timer: TimerState): boolean =>
    timer.set.kind !== "sleep" && (timer.fired !== undefined || isOver(timer));

  function isCallOpen({ callId = "" }: EventData<"timer.set">): boolean {
    const call = log.state.round?.calls.get(callId);
    return call !== undefined && call.finished === undefined;
  }

  /** There is something to hear at the next border. */
  const isNews = (): boolean =>
    hasNews() || all().some(isToTell) || inbox.queued().some(({ priority }) => priority === "next");

  const sleepers = createSleepers(parts, isOver, isNews);

  function arm(): void {
    alarm?.cancel();
    alarm = undefined;
    const open = all().filter(({ fired }) => fired === undefined);
    if (isClosed || open.length === 0) return;
    const left = open.map(({ set, at }) => {
      const end = ends.get(set.timerId);
      const wall = at - clock.now();
      return end === undefined ? wall : Math.min(wall, end - clock.monotonic());
    });
    // What was due when it was last looked at waits for a border, and is not waited for here.
    const next = Math.min(...left.filter((ms) => ms > 0), LOOK_MS);
    alarm = clock.timer(next, look);
  }

  function look(): void {
    arm();
    if (!all().some((timer) => timer.fired === undefined && isOver(timer))) return;
    sleepers.wake("over");
    if (isNews()) sleepers.wake("news");
    inbox.stir();
  }

  /** From here on the clock is looked at. */
  function rest(timer: TimerState, signal: AbortSignal): Promise<SleepEnd["kind"]> {
    arm();
    return sleepers.rest(timer, signal);
  }

  function remember(set: EventData<"timer.set">): void {
    if (set.kind !== "cron") ends.set(set.timerId, clock.monotonic() + set.at - clock.now());
  }

  function drop(timerId: string, by: TimerClear): void {
    ends.delete(timerId);
    log.record("timer.cleared", { timerId, by });
    stored.remove(timerId);
    arm();
  }

  /** @throws what the store throws */
  async function keep(set: EventData<"timer.set">): Promise<void> {
    log.record("timer.set", set);
    remember(set);
    arm();
    await stored.keep(set);
  }

  async function timesOf(cron: string, zone: string): Promise<CronTimes | string> {
    const key = cronKey(cron, zone);
    const known = crons.get(key) ?? (await readCron(cron, zone));
    if (typeof known !== "string") crons.set(key, known);
    return known;
  }

  function fire(timer: TimerState): EventData<"timer.fired"> {
    const { set, at: due } = timer;
    const at = clock.now();
    const times = set.kind === "cron" ? crons.get(cronKey(set.cron, set.zone)) : undefined;
    const next = times?.next(Math.max(at, due));
    const fired = {
      ...{ timerId: set.timerId, at, due },
      ...(at - due > LATE_MS ? { late: at - due } : {}),
      ...(next === undefined ? {} : { next }),
    };
    log.record("timer.fired", fired);
    ends.delete(set.timerId);
    return fired;
  }

  /** The store is told what has become of a timer that fired. */
  function settle({ set }: TimerState, { next }: EventData<"timer.fired">): void {
    if (next === undefined) stored.remove(set.timerId);
    else stored.put(set, next);
  }

  return {
    async open(isFork) {
      if (isFork) {
        for (const { set } of all()) log.record("timer.cleared", { timerId: set.timerId, by: "copied" });
        return;
      }
      for (const { set, fired } of all()) {
        const { timerId } = set;
        if (set.kind === "cron") {
          const times = await timesOf(set.cron ?? "", set.zone ?? "");
          if (typeof times === "string") notify("warning", `${timerId} comes only once more. ${times}`);
        } else if (set.kind === "sleep" && !isCallOpen(set)) {
          if (fired === undefined) drop(timerId, "stopped");
          else stored.remove(timerId);
        }
      }
      for (const { set, at } of all()) remember({ ...set, at });
      stored.reconcile();
      arm();
    },

    async set({ callId, prompt, when }) {
      const known = all().find(
        ({ set, ofRound }) => ofRound && set.kind !== "sleep" && set.callId === callId,
      );
      if (known !== undefined) {
        stored.put(known.set, known.at);
        return shownTimer(known);
      }
      if (all().filter(({ set }) => set.kind !== "sleep").length >= MOST_TIMERS) {
        return `${MOST_TIMERS} wake-ups and crons are set already, the most there may be. Delete one with CronDelete first; CronList shows them.`;
      }
      const isStretch = typeof when === "number";
      const times = isStretch ? undefined : await timesOf(when.cron, when.zone);
      if (typeof times === "string") return times;
      const now = clock.now();
      const at = isStretch ? now + when : times?.next(now);
      if (at === undefined) return "This cron never comes.";
      const timerId = ids.short("timer");
      const set = {
        timerId,
        kind: isStretch ? "wakeup" : "cron",
        at,
        callId,
        prompt,
        ...(isStretch ? {} : when),
      } as const;
      try {
        await keep(set);
      } catch (error) {
        if (log.state.timers.has(timerId)) drop(timerId, "stopped");
        return `It was not set: the store could not keep it (${errorText(error)}).`;
      }
      return shownTimer({ set, at });
    },

    async clear(id) {
      const known = log.state.timers.get(id);
      if (known === undefined || known.set.kind === "sleep") return undefined;
      drop(id, "deleted");
      await log.barrier();
      return shownTimer(known);
    },

    async sleep(callId, ms, signal) {
      let timer = restingCall(log.state, callId);
      if (timer === undefined && !signal.aborted) {
        const set = { timerId: ids.short("timer"), kind: "sleep", at: clock.now() + ms, callId } as const;
        await keep(set).catch((error: unknown) => {
          notify("warning", `A Sleep will not outlive this process: ${errorText(error)}`);
        });
        timer = restingCall(log.state, callId);
      }
      if (timer === undefined) return { kind: "stopped", sleptMs: 0, leftMs: ms };
      const kind = timer.fired === undefined ? await rest(timer, signal) : "over";
      const { set, at } = timer;
      if (kind === "over" && timer.fired === undefined) settle(timer, fire(timer));
      else if (kind === "news") drop(set.timerId, "woken");
      // Where the session ends the call is left open, and whoever goes on rests until the same moment.
      else if (kind === "stopped" && !isSessionEnd(signal)) drop(set.timerId, "stopped");
      const leftMs = kind === "over" ? 0 : Math.max(0, at - clock.now());
      return { kind, sleptMs: Math.max(0, ms - leftMs), leftMs };
    },

    isDue() {
      // In the middle of a round only what the round waits for lets it go on.
      if (log.state.round === undefined) return all().some(isToTell);
      // One whose call has ended otherwise is nobody's, and lets nothing go on.
      const isResting = ({ set, fired }: TimerState): boolean =>
        set.kind === "sleep" && fired === undefined && isCallOpen(set);
      return all().some((timer) => isResting(timer) && isOver(timer));
    },

    deliver(opens) {
      stored.sweep();
      const due = all().filter(isToTell);
      due.sort((a, b) => (a.fired?.due ?? a.at) - (b.fired?.due ?? b.at));
      for (const [i, timer] of due.entries()) {
        const fired = timer.fired ?? fire(timer);
        const { timerId } = timer.set;
        const isFirst = opens && i === 0;
        const message = timerMessage(timer.set, fired);
        log.record("user.message", {
          message,
          synthetic: true,
          timerId,
          ...(isFirst ? { opens: true } : {}),
        });
        settle(timer, fired);
      }
      if (due.length > 0) arm();
      return due.length > 0;
    },

    wakeSleepers() {
      sleepers.wake("news");
    },

    async close() {
      isClosed = true;
      alarm?.cancel();
      stored.sweep();
      await stored.idle();
    },
  };
}

function cronKey(cron = "", zone = ""): string {
  return `${zone} ${cron}`;
}
