import type { Platform } from "../../packages/sdk/src/platform/index.ts";

/** A clock that jumps to the next timer whenever the program has nothing else to do. */
export interface HurriedClock {
  readonly clock: Platform["clock"];
  /** The length of every timer that fired, in order. */
  readonly waits: readonly number[];
}

/**
 * For sessions whose only timers are waits between tries: they pass at once, and in the right order.
 * `turns` of the event loop must pass before it jumps, so that sockets and streams can move.
 */
export function hurriedClock(turns = 3): HurriedClock {
  let now = 1_000_000;
  const waits: number[] = [];
  const timers = new Set<{ readonly due: number; readonly ms: number; readonly fire: () => void }>();
  let idle = 0;
  let running = false;

  function step(): void {
    idle += 1;
    if (timers.size === 0) {
      running = false;
      return;
    }
    if (idle >= turns) {
      idle = 0;
      let due = Number.POSITIVE_INFINITY;
      for (const timer of timers) due = Math.min(due, timer.due);
      now = Math.max(now, due);
      for (const timer of [...timers].filter((each) => each.due === due)) {
        if (!timers.delete(timer)) continue;
        waits.push(timer.ms);
        timer.fire();
      }
    }
    setImmediate(step);
  }

  return {
    waits,
    clock: {
      now: () => now,
      monotonic: () => now,
      timer(ms, fire) {
        const timer = { due: now + Math.max(0, ms), ms, fire };
        timers.add(timer);
        idle = 0;
        if (!running) {
          running = true;
          setImmediate(step);
        }
        return { cancel: () => void timers.delete(timer) };
      },
    },
  };
}
