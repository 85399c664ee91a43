import { beforeAll, describe, expect, it } from "vitest";
import { runs } from "../setup/runs.ts";
import { allKills, describeKill, type Kill, type Kind, spread, varied } from "./points.ts";
import { problemsOf, unknownCalls } from "./problems.ts";
import { hasLibsql, installProgram } from "./processes.ts";
import { runWhole, survive } from "./survive.ts";

/** Every point in the long lane, as many as this in the short one. */
const SHORT = 20;
const IS_LONG = runs >= 10_000;
const SEED = 6;
/** To see some points again, those whose description fits: `CASTELLAN_CRASH="event 1[0-9] recorded"`. */
const ONLY = process.env.CASTELLAN_CRASH;
const AT_ONCE = 2;
const PATIENCE_MS = 1_800_000;

let program: string;
beforeAll(async () => {
  program = await installProgram();
});

interface Counts {
  points: number;
  killed: number;
  events: number;
  unknown: number;
  askedAgain: number;
}

describe.each<Kind>(["jsonl", "sqlite"])("a session over %s", (store) => {
  it(
    "that is killed, wherever, goes on: nothing is lost, and nothing is done twice",
    async () => {
      expect(store !== "sqlite" || hasLibsql()).toBe(true);
      const whole = await runWhole(program, store);
      expect(await problemsOf(whole)).toEqual([]);
      expect(whole.files).toMatchObject({ "a.txt": ["two"], "b.txt": ["green"], "shell.txt": ["shell"] });
      expect([whole.files["notes.txt"].length, whole.files["published.txt"].length]).toEqual([3, 2]);
      const appends = whole.told[0]?.appends ?? 0;
      const all = allKills(store, { events: whole.final.length, appends });
      const kills = varied(chosen(all));
      const counts: Counts = { points: 0, killed: 0, events: 0, unknown: 0, askedAgain: 0 };
      const failures = await failuresOf(kills, counts);
      console.info(
        `${store}: ${counts.points} points of ${all.length} (${whole.final.length} events, ${appends} appends), ` +
          `${counts.killed} processes killed, ${counts.events} events checked, ${counts.unknown} calls unknown, ` +
          `${counts.askedAgain} questions asked again.`,
      );
      expect(failures).toEqual([]);
      expect(counts.points).toBe(kills.length);
    },
    PATIENCE_MS,
  );
});

function chosen(all: readonly Kill[]): readonly Kill[] {
  if (ONLY !== undefined) return all.filter((kill) => new RegExp(ONLY).test(describeKill(kill)));
  return IS_LONG ? all : spread(all, SHORT, SEED);
}

/** Tries each point, so many at once, and gives what went wrong. */
async function failuresOf(kills: readonly Kill[], counts: Counts): Promise<readonly string[]> {
  const failures: string[] = [];
  const waiting = kills.values();
  const worker = async (): Promise<void> => {
    for (const kill of waiting) {
      const survived = await survive(program, kill);
      const problems = await problemsOf(survived, kill);
      failures.push(...problems.map((problem) => `${describeKill(kill)}: ${problem}`));
      counts.points += 1;
      counts.killed += survived.left.length;
      counts.events += survived.final.length;
      counts.unknown += unknownCalls(survived).length;
      counts.askedAgain += survived.files["asked.txt"].length - 2;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failures;
}
