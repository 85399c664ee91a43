import type { RunVerdict } from "../gate/index.ts";
import type { ToolCallPart } from "../protocol/index.ts";
import { boundedArtifacts } from "./bounded-artifacts.ts";
import { isConcurrencySafe } from "./concurrency.ts";
import { createLanes } from "./lanes.ts";
import { createNesting } from "./nested.ts";
import { createParking, type Spot } from "./parking.ts";
import type { Preflight } from "./preflight.ts";
import { createRepeats } from "./repeats.ts";
import { notRun } from "./results.ts";
import { createRound } from "./round.ts";
import { execute, finish, judgeCall } from "./run-one.ts";
import type { Scheduler, SchedulerDeps } from "./types.ts";

const CONCURRENCY = 10;

/** Makes the scheduler of one session. */
export function createScheduler(session: SchedulerDeps): Scheduler {
  const { clock } = session.platform;
  const cap = Math.max(1, session.concurrency ?? CONCURRENCY);
  const repeats = createRepeats();
  const nesting = createNesting(cap);

  return {
    async runRound(calls, assistantMessageId, signal, resume) {
      const round = createRound(signal, clock);
      const deps = { ...session, artifacts: boundedArtifacts(session.artifacts, round, clock) };
      const lanes = createLanes(cap);
      const parking = createParking(() => round.pause());
      const late = new Set<Promise<void>>();

      /** Never rejects: what the log throws ends the round. */
      const run = async (
        part: ToolCallPart,
        verdict: RunVerdict,
        spot: Spot,
        isStale: boolean,
      ): Promise<void> => {
        try {
          const note = repeats.note(verdict.tool, verdict.input);
          const nest = nesting(part, assistantMessageId, round, deps);
          await execute(part, verdict, note, assistantMessageId, round, deps, nest, { isStale, spot });
        } catch (error) {
          round.fail(error);
        }
        spot.leave();
      };

      const goOn = async (part: ToolCallPart, ready: Preflight, spot: Spot, mark: number): Promise<void> => {
        if (ready.kind !== "ready") {
          if (ready.kind === "ended") finish(part.id, ready.name, ready.ending, deps);
          spot.leave();
          return;
        }
        const { verdict } = ready;
        const isSafe = isConcurrencySafe(verdict);
        await lanes.start(isSafe, mark, (isStale) => run(part, verdict, spot, isStale));
      };

      /** A call that waits for somebody holds up nobody; it goes on when it is answered, in whatever order. */
      const goOnLater = async (
        part: ToolCallPart,
        judging: Promise<Preflight>,
        spot: Spot,
      ): Promise<void> => {
        try {
          // What was judged before the answer came may have changed since.
          await goOn(part, await judging, spot, -1);
        } catch (error) {
          round.fail(error);
          spot.leave();
        }
      };

      try {
        for (const part of calls) {
          const earlier = resume?.get(part.id);
          if (earlier?.finished !== undefined) continue;
          const ended = round.ended();
          if (ended !== undefined) {
            finish(part.id, part.name, notRun(ended), deps);
            continue;
          }
          const spot = parking.enter();
          const mark = lanes.mark();
          const judging = judgeCall(part, assistantMessageId, earlier, round, deps, spot);
          const ready = await spot.unlessParked(judging);
          if (ready !== undefined) await goOn(part, ready, spot, mark);
          else late.add(goOnLater(part, judging, spot));
        }
      } catch (error) {
        round.fail(error);
      }
      parking.close();
      await Promise.all(late);
      await lanes.idle();
      return round.close();
    },
  };
}
