import type { Clock, Timer } from "../platform/index.ts";
import type { ApprovalStore } from "../protocol/index.ts";
import { onRing } from "./bell.ts";

/** Looks this often right after a change, in milliseconds, and less and less often while there is none. */
const FIRST_MS = 50;
/** Several changes in a row are one look. */
const LEAST_MS = 20;
const LAST_MS = 700;
const GROWTH = 1.4;

const watches = new WeakMap<ApprovalStore, WeakMap<Clock, Listen>>();

/** Takes a listener; gives what stops it. */
type Listen = (listener: Listener) => () => void;

/** What may have changed: one approval; or those that are open now are known; or anything. */
export type Change = { readonly id: string } | { readonly open: ReadonlySet<string> } | undefined;

type Listener = (change: Change) => void;

/**
 * Calls `listener` when something in the store may have changed: at once for what this process does, within a second
 * for others. All listeners of a store share one look. The process lives while somebody listens.
 */
export function watchStore(store: ApprovalStore, clock: Clock, listener: Listener): () => void {
  const byClock = watches.get(store) ?? new WeakMap<Clock, Listen>();
  watches.set(store, byClock);
  const listen = byClock.get(clock) ?? createWatch(store, clock);
  byClock.set(clock, listen);
  return listen(listener);
}

function createWatch(store: ApprovalStore, clock: Clock): Listen {
  const listeners = new Set<Listener>();
  let timer: Timer | undefined;
  let pause = FIRST_MS;
  let last: string | undefined;
  let wasNew = false;
  let unring: (() => void) | undefined;
  let unhook: (() => void) | undefined;
  let isLooking = false;
  let isHurried = false;
  let lookedAt = 0;
  let round = 0;

  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };

  /** One look at the store serves all that listen. */
  async function openNow(): Promise<Change> {
    try {
      const open = await store.openIds?.();
      return open === undefined ? undefined : { open };
    } catch {
      return undefined;
    }
  }

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

  function hook(): (() => void) | undefined {
    try {
      const end: unknown = store.onChange?.(hurry);
      return typeof end === "function" ? (end as () => void) : undefined;
    } catch {
      // Then it is looked at.
      return undefined;
    }
  }

  function next(mine: number): void {
    timer = clock.timer(pause, () => void look(mine));
  }

  /** The system says that something changed: the next look is at once, or as soon as one may follow the last. */
  function hurry(): void {
    if (isLooking || listeners.size === 0 || isHurried) return;
    isHurried = true;
    timer?.cancel();
    const mine = round;
    const wait = Math.max(0, LEAST_MS - (clock.monotonic() - lookedAt));
    timer = clock.timer(wait, () => void look(mine));
  }

  async function look(mine: number): Promise<void> {
    isLooking = true;
    isHurried = false;
    lookedAt = clock.monotonic();
    // A folder that was not there at first can be watched later.
    unhook ??= hook();
    const found = await isNew();
    const change = found ? await openNow() : undefined;
    isLooking = false;
    if (mine !== round) return;
    pause = found && store.stamp !== undefined ? FIRST_MS : Math.min(LAST_MS, Math.ceil(pause * GROWTH));
    if (found) tell(change);
    if (mine === round) next(mine);
  }

  return (listener) => {
    listeners.add(listener);
    if (listeners.size === 1) {
      round += 1;
      pause = FIRST_MS;
      wasNew = false;
      last = undefined;
      unring = onRing(store, (id) => tell({ id }));
      unhook = hook();
      next(round);
    }
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      round += 1;
      isHurried = false;
      timer?.cancel();
      unring?.();
      unhook?.();
      unhook = undefined;
    };
  };
}
