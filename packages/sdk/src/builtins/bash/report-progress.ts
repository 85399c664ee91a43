import type { Clock } from "../../platform/index.ts";
import { cutAt } from "../../tools/index.ts";

const BETWEEN_MS = 100;
const MOST_CHARACTERS = 2_000;

/** Reports whole lines of output while a command runs: ten times a second at most, newest lines first kept. */
export function reportProgress(clock: Clock, report: (text: string) => void): (text: string) => void {
  let waiting = "";
  let last: number | undefined;
  return (text) => {
    waiting += text;
    if (waiting.length > 2 * MOST_CHARACTERS) waiting = waiting.slice(-2 * MOST_CHARACTERS);
    const end = waiting.lastIndexOf("\n");
    const now = clock.monotonic();
    if (end === -1 || (last !== undefined && now - last < BETWEEN_MS)) return;
    last = now;
    const lines = waiting.slice(0, end);
    waiting = waiting.slice(end + 1);
    report(lines.length > MOST_CHARACTERS ? cutAt(lines.slice(-MOST_CHARACTERS), MOST_CHARACTERS) : lines);
  };
}
