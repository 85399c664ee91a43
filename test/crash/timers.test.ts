import { beforeAll, describe, expect, it } from "vitest";
import { chosen, failuresOf, PATIENCE_MS } from "./matrix.ts";
import { allKills, type Kind } from "./points.ts";
import { installProgram } from "./processes.ts";
import { runTimers, timerProblems } from "./timers-runs.ts";

const SHORT = 4;

let program: string;
beforeAll(async () => {
  program = await installProgram();
});

describe.each<Kind>(["jsonl", "sqlite"])("a session with timers over %s", (store) => {
  it(
    "that is killed, wherever, goes on: each timer fires once, and what it is for is done once",
    async () => {
      const whole = await runTimers(program, store);
      expect(timerProblems(whole)).toEqual([]);
      const [{ appends = 0, steps = [] } = {}] = whole.told;
      // How often one looks at what is due changes from run to run.
      const all = allKills(store, { events: whole.final.length, appends, steps });
      const kills = chosen(all, SHORT);
      const counts = { points: 0, killed: 0, events: 0 };
      const failures = await failuresOf(kills, async (kill) => {
        const survived = await runTimers(program, store, kill);
        counts.points += 1;
        counts.killed += survived.told.filter(({ wasKilled }) => wasKilled).length;
        counts.events += survived.final.length;
        return timerProblems(survived, kill);
      });
      console.info(
        `${store}, timers: ${counts.points} points of ${all.length} (${whole.final.length} events, ${appends} appends, ` +
          `${steps.length} steps), ${counts.killed} processes killed, ${counts.events} events checked.`,
      );
      expect(failures).toEqual([]);
    },
    PATIENCE_MS,
  );
});
