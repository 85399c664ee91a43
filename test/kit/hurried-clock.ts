import type { Platform } from "../../packages/sdk/src/platform/index.ts";

const TURNS = 3;

interface Waiting {
  readonly due: number;
  readonly ms: number;
  readonly fire: () => void;
}

/** A clock that jumps to the next timer whenever the program has nothing else to do. */
export interface HurriedClock {
  readonly clock: Platform["clock"];
  /** The length of every timer that fired, in order. */
  readonly waits: readonly number[];
  /** Moves on by `ms`, as if nothing had happened for so long, and fires what falls due. */
  pass(ms: number): void;
}

/**
 * For sessions whose only timers are waits between tries: they pass at once, and in the right order. Three turns of
 * the event loop must pass before it jumps, so that streams can move.
 *
 * @param below timers of this length and above are limits, not waits: only `pass()` reaches them.
 */
export function hurriedClock(below: number = Number.POSITIVE_INFINITY): HurriedClock {
  let now = 1_000_000;
  const waits: number[] = [];
  const timers = new Set<Waiting>();
  let idle = 0;
  let running = false;

  function step(): void {
    idle += 1;
    const short = [...timers].filter(({ ms }) => ms < below);
    if (short.length === 0) {
      running = false;
      return;
    }
    if (idle >= TURNS) {
      idle = 0;
      const due = Math.min(...short.map((timer) => timer.due));
      fire(
        due,
        short.filter((timer) => timer.due === due),
      );
    }
    setImmediate(step);
  }

  function fire(at: number, due: readonly Waiting[]): void {
    now = Math.max(now, at);
    for (const timer of due) {
      if (!timers.delete(timer)) continue;
      waits.push(timer.ms);
      timer.fire();
    }
  }

  return {
    waits,
    pass(ms) {
      const until = now + ms;
      fire(
        until,
        [...timers].filter((timer) => timer.due <= until).sort((a, b) => a.due - b.due),
      );
    },
    clock: {
      now: () => now,
      monotonic: () => now,
      timer(ms, fire) {
        const timer = { due: now + Math.max(0, ms), ms, fire };
        timers.add(timer);
        idle = 0;
        if (!running && ms < below) {
          running = true;
          setImmediate(step);
        }
        return { cancel: () => void timers.delete(timer) };
      },
    },
  };
}
