import type { RunVerdict } from "../gate/index.ts";
import type { ToolCallPart } from "../protocol/index.ts";
import { boundedArtifacts } from "./bounded-artifacts.ts";
import { isConcurrencySafe } from "./concurrency.ts";
import { createNesting } from "./nested.ts";
import { preflight } from "./preflight.ts";
import { createRepeats } from "./repeats.ts";
import { notRun } from "./results.ts";
import type { Round } from "./round.ts";
import { createRound } from "./round.ts";
import { execute, finish } from "./run-one.ts";
import type { Scheduler, SchedulerDeps } from "./types.ts";

const CONCURRENCY = 10;

/** Makes the scheduler of one session. */
export function createScheduler(session: SchedulerDeps): Scheduler {
  const { clock } = session.platform;
  const cap = Math.max(1, session.concurrency ?? CONCURRENCY);
  const repeats = createRepeats();
  const nesting = createNesting(cap);

  /** Never rejects: what the log throws ends the round. */
  const run = async (
    part: ToolCallPart,
    verdict: RunVerdict,
    messageId: string,
    round: Round,
    deps: SchedulerDeps,
  ): Promise<void> => {
    try {
      const note = repeats.note(verdict.tool, verdict.input);
      await execute(part, verdict, note, messageId, round, deps, nesting(part, messageId, round, deps));
    } catch (error) {
      round.fail(error);
    }
  };

  return {
    async runRound(calls, assistantMessageId, signal, resume) {
      const round = createRound(signal, clock);
      const deps = { ...session, artifacts: boundedArtifacts(session.artifacts, round, clock) };
      const running = new Set<Promise<void>>();
      try {
        for (const part of calls) {
          const earlier = resume?.get(part.id);
          if (earlier?.finished !== undefined) continue;
          const ended = round.ended();
          if (ended !== undefined) {
            finish(part.id, part.name, notRun(ended), deps);
            continue;
          }
          const ready = await preflight(part, assistantMessageId, earlier, round, deps);
          if (ready.kind === "ended") {
            finish(part.id, ready.name, ready.ending, deps);
            continue;
          }
          const { verdict } = ready;
          const concurrent = isConcurrencySafe(verdict);
          if (!concurrent) await Promise.all(running);
          else while (running.size >= cap) await Promise.race(running);
          const job = run(part, verdict, assistantMessageId, round, deps);
          if (!concurrent) await job;
          else {
            running.add(job);
            void job.then(() => running.delete(job));
          }
        }
      } catch (error) {
        round.fail(error);
      }
      await Promise.all(running);
      return round.close();
    },
  };
}
