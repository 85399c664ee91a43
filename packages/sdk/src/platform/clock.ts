import type { Clock, Timer } from "./port.ts";

/** Node cuts longer delays down to one millisecond, so they are taken in steps. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** The machine's clock. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer: startTimer,
};

function startTimer(ms: number, fire: () => void, idle = false): Timer {
  let handle: NodeJS.Timeout;
  let rest = Math.max(0, Number.isNaN(ms) ? 0 : ms);
  const step = (): void => {
    const wait = Math.min(rest, LONGEST_DELAY);
    rest -= wait;
    handle = setTimeout(rest > 0 ? step : fire, wait);
    if (idle) handle.unref();
  };
  step();
  return { cancel: () => clearTimeout(handle) };
}
