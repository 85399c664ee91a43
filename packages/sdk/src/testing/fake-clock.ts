import type { Clock } from "../platform/index.ts";

/** A clock that stands still until it is moved by hand. */
export interface FakeClock extends Clock {
  /** Moves on by `ms` and fires what falls due, in order of time; timers that these start count too. */
  advance(ms: number): void;
  /** Timers that have not fired and are not cancelled. */
  readonly pending: number;
}

/**
 * A clock for tests: `query({ options: { platform: { ...nodePlatform(), clock: fakeClock() } } })`.
 *
 * @param start epoch milliseconds. Default: 0.
 */
export function fakeClock(start = 0): FakeClock {
  let now = start;
  const timers = new Set<{ readonly due: number; readonly fire: () => void }>();

  function nextDue(until: number): { readonly due: number; readonly fire: () => void } | undefined {
    let next: { readonly due: number; readonly fire: () => void } | undefined;
    for (const timer of timers) {
      if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  }

  return {
    now: () => now,
    monotonic: () => now - start,
    timer(ms, fire) {
      const timer = { due: now + Math.max(0, ms), fire };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    advance(ms) {
      const until = now + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer);
        now = timer.due;
        timer.fire();
      }
      now = until;
    },
    get pending() {
      return timers.size;
    },
  };
}
