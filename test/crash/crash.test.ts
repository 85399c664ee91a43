import { beforeAll, describe, expect, it } from "vitest";
import { chosen, failuresOf, PATIENCE_MS } from "./matrix.ts";
import { allKills, type Kind } from "./points.ts";
import { problemsOf, unknownCalls } from "./problems.ts";
import { hasLibsql, installProgram } from "./processes.ts";
import { runWhole, survive } from "./survive.ts";

const SHORT = 11;

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
      const kills = chosen(all, SHORT);
      const counts: Counts = { points: 0, killed: 0, events: 0, unknown: 0, askedAgain: 0 };
      const failures = await failuresOf(kills, async (kill) => {
        const survived = await survive(program, kill);
        counts.points += 1;
        counts.killed += survived.left.length;
        counts.events += survived.final.length;
        counts.unknown += unknownCalls(survived).length;
        counts.askedAgain += survived.files["asked.txt"].length - 2;
        return problemsOf(survived, kill);
      });
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
