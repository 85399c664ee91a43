import { type EventData, errorText, type Wake } from "../../protocol/index.ts";
import type { TimerParts } from "./timer-types.ts";

type Timer = EventData<"timer.set">;

/**
 * What the store knows of the timers of one session: it lags behind the log, and is never ahead of it. Only `keep` says
 * whether it could be told; people hear of the rest.
 */
export interface StoredWakes {
  /** Resolves once a new timer is in the log and in the store. @throws what these throw */
  keep(set: Timer): Promise<void>;
  put(set: Timer, at: number): void;
  remove(timerId: string): void;
  /** Brings the store to what the log says. */
  reconcile(): void;
  /** Takes away what the log has no more: a Sleep whose call ended before it began to rest again goes with its round. */
  sweep(): void;
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>;
}

export function createStoredWakes({ wakes, log, notify }: TimerParts): StoredWakes {
  /** What is on its way, one behind the other. */
  let jobs: Promise<void> = Promise.resolve();
  /** What may stand in the store. */
  const kept = new Set<string>();

  function later(work: () => Promise<unknown>): void {
    if (wakes === undefined) return;
    jobs = jobs
      .then(() => log.barrier())
      .then(work)
      .then(
        () => {},
        (error: unknown) => notify("warning", `A timer could not be kept in the store: ${errorText(error)}`),
      );
  }

  function wakeOf({ timerId, kind }: Timer, at: number): Wake {
    kept.add(timerId);
    const { sessionId } = log.state;
    return { id: timerId, sessionId, at, kind: "timer", data: { kind } };
  }

  function remove(timerId: string): void {
    kept.delete(timerId);
    later(async () => wakes?.remove(timerId));
  }

  async function bringUp(): Promise<void> {
    const found = (await wakes?.list(log.state.sessionId)) ?? [];
    const stored = new Map(
      found.flatMap(({ kind, id, at }) => (kind === "timer" ? [[id, at] as const] : [])),
    );
    const missing = [];
    for (const { set, at, fired } of log.state.timers.values()) {
      const known = stored.get(set.timerId);
      stored.delete(set.timerId);
      if (known !== at && fired === undefined) missing.push(wakeOf(set, at));
    }
    // What was recorded since this began may have yet to be written: a wake whose message is lost would never come again.
    await log.barrier();
    for (const wake of missing) await wakes?.put(wake);
    for (const id of stored.keys()) await wakes?.remove(id);
  }

  return {
    async keep(set) {
      await log.barrier();
      await wakes?.put(wakeOf(set, set.at));
    },
    put: (set, at) => later(async () => wakes?.put(wakeOf(set, at))),
    remove,
    reconcile() {
      for (const id of log.state.timers.keys()) kept.add(id);
      later(bringUp);
    },
    sweep() {
      for (const id of kept) if (!log.state.timers.has(id)) remove(id);
    },
    idle: () => jobs,
  };
}
