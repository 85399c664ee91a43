import type { Clock, Timer } from "../platform/index.ts";
import type { ApprovalStore } from "../protocol/index.ts";
import { onRing } from "./bell.ts";

/** Looks this often right after a change, in milliseconds, and less and less often while there is none. */
const FIRST_MS = 50;
const LAST_MS = 700;
const GROWTH = 1.4;

const watches = new WeakMap<ApprovalStore, WeakMap<Clock, Listen>>();

/** Takes a listener; gives what stops it. */
type Listen = (listener: () => void) => () => void;

/**
 * Calls `listener` when something in the store may have changed: at once for what this process does, within a second
 * for others. All listeners of a store share one look. The process lives while somebody listens.
 */
export function watchStore(store: ApprovalStore, clock: Clock, listener: () => void): () => void {
  const byClock = watches.get(store) ?? new WeakMap<Clock, Listen>();
  watches.set(store, byClock);
  const listen = byClock.get(clock) ?? createWatch(store, clock);
  byClock.set(clock, listen);
  return listen(listener);
}

function createWatch(store: ApprovalStore, clock: Clock): Listen {
  const listeners = new Set<() => void>();
  let timer: Timer | undefined;
  let pause = FIRST_MS;
  let last: string | undefined;
  let wasNew = false;
  let unring: (() => void) | undefined;
  let round = 0;

  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };

  /** A store that keeps time in ticks may hide a second change in the tick of the first: so it is told once more. */
  async function isNew(): Promise<boolean> {
    if (store.stamp === undefined) return true;
    try {
      const stamp = await store.stamp();
      const changed = stamp !== last;
      last = stamp;
      const tells = changed || wasNew;
      wasNew = changed;
      return tells;
    } catch {
      // A store that cannot be read now is looked at again.
      return false;
    }
  }

  function next(mine: number): void {
    timer = clock.timer(pause, () => void look(mine));
  }

  async function look(mine: number): Promise<void> {
    const found = await isNew();
    if (mine !== round) return;
    pause = found && store.stamp !== undefined ? FIRST_MS : Math.min(LAST_MS, Math.ceil(pause * GROWTH));
    if (found) tell();
    if (mine === round) next(mine);
  }

  return (listener) => {
    listeners.add(listener);
    if (listeners.size === 1) {
      round += 1;
      pause = FIRST_MS;
      wasNew = false;
      last = undefined;
      unring = onRing(store, tell);
      next(round);
    }
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      round += 1;
      timer?.cancel();
      unring?.();
    };
  };
}
