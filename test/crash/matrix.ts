import { runs } from "../setup/runs.ts";
import { describeKill, type Kill, spread, varied } from "./points.ts";

const IS_LONG = runs >= 10_000;
const SEED = 6;
/** To see some points again, those whose description fits: `CASTELLAN_CRASH="event 1[0-9] recorded"`. */
const ONLY = process.env.CASTELLAN_CRASH;
const AT_ONCE = 2;
export const PATIENCE_MS = 3_600_000;

/** Every point in the long lane, so many in the short one: always the same, spread evenly. */
export function chosen(all: readonly Kill[], short: number): readonly Kill[] {
  const isMeant = (kill: Kill): boolean => ONLY === undefined || new RegExp(ONLY).test(describeKill(kill));
  return varied(IS_LONG || ONLY !== undefined ? all : spread(all, short, SEED)).filter(isMeant);
}

/** Tries each point, some at once, and gives what went wrong. */
export async function failuresOf(
  kills: readonly Kill[],
  problemsAt: (kill: Kill) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const waiting = kills.values();
  const worker = async (): Promise<void> => {
    for (const kill of waiting) {
      const problems = await problemsAt(kill);
      failures.push(...problems.map((problem) => `${describeKill(kill)}: ${problem}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failures;
}
