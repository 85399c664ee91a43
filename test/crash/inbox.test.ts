import { beforeAll, describe, expect, it } from "vitest";
import { inboxProblems } from "./inbox-problems.ts";
import { runInbox } from "./inbox-runs.ts";
import { chosen, failuresOf, PATIENCE_MS } from "./matrix.ts";
import { allKills, type Kind } from "./points.ts";
import { installProgram } from "./processes.ts";

const SHORT = 5;

let program: string;
beforeAll(async () => {
  program = await installProgram();
});

describe.each<Kind>(["jsonl", "sqlite"])("a session with calls in the inbox over %s", (store) => {
  it(
    "that is killed, wherever, goes on: each word counts once, and nothing runs without one",
    async () => {
      const whole = await runInbox(program, store);
      expect(await inboxProblems(whole)).toEqual([]);
      const [{ appends = 0, steps = [], asked: told = 0 } = {}] = whole.told;
      const all = allKills(store, { events: whole.final.length, appends, steps, told });
      const kills = chosen(all, SHORT);
      const counts = { points: 0, killed: 0, events: 0, decided: 0 };
      const failures = await failuresOf(kills, async (kill) => {
        const survived = await runInbox(program, store, kill);
        counts.points += 1;
        counts.killed += survived.left.length;
        counts.events += survived.final.length;
        counts.decided += survived.decisions.size;
        return inboxProblems(survived, kill);
      });
      console.info(
        `${store}, inbox: ${counts.points} points of ${all.length} (${whole.final.length} events, ${appends} appends, ` +
          `${steps.length} steps, ${told} told), ${counts.killed} processes killed, ${counts.events} events checked, ` +
          `${counts.decided} decisions.`,
      );
      expect(failures).toEqual([]);
      expect(counts.points).toBe(kills.length);
    },
    PATIENCE_MS,
  );
});
