import type { RunVerdict } from "../gate/index.ts";
import type { ToolCallPart } from "../protocol/index.ts";
import { boundedArtifacts } from "./bounded-artifacts.ts";
import { isConcurrencySafe } from "./concurrency.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { createNesting } from "./nested.ts";
import { createParking, type Parking, type Spot } from "./parking.ts";
import { isLeftOpen, type Preflight, preflight } from "./preflight.ts";
import { createRepeats, type Repeats } from "./repeats.ts";
import { notRun } from "./results.ts";
import { createRound, type Round } from "./round.ts";
import { execute, finish } from "./run-one.ts";
import type { EarlierCall, RoundOutcome, Scheduler, SchedulerDeps } from "./types.ts";

const CONCURRENCY = 10;

/** Makes the scheduler of one session. */
export function createScheduler(session: SchedulerDeps): Scheduler {
  const { clock } = session.platform;
  const cap = Math.max(1, session.concurrency ?? CONCURRENCY);
  const parts = { cap, repeats: createRepeats(), nesting: createNesting(cap) };

  return {
    runRound(calls, messageId, signal, resume) {
      const round = createRound(signal, clock);
      const deps = { ...session, artifacts: boundedArtifacts(session.artifacts, round, clock) };
      return new RoundRun(parts, messageId, round, deps).run(calls, resume);
    },
  };
}

interface Parts {
  readonly cap: number;
  readonly repeats: Repeats;
  readonly nesting: ReturnType<typeof createNesting>;
}

const NONE: readonly Promise<void>[] = [];

/** One round on its way. It is held while a person thinks: fields cost less than closures. */
class RoundRun {
  readonly #parts: Parts;
  readonly #messageId: string;
  readonly #round: Round;
  readonly #deps: SchedulerDeps;
  readonly #lanes: Lanes;
  readonly #parking: Parking;
  #late: readonly Promise<void>[] = NONE;

  constructor(parts: Parts, messageId: string, round: Round, deps: SchedulerDeps) {
    this.#parts = parts;
    this.#messageId = messageId;
    this.#round = round;
    this.#deps = deps;
    this.#lanes = createLanes(parts.cap);
    this.#parking = createParking(round);
  }

  async run(
    calls: readonly ToolCallPart[],
    resume: ReadonlyMap<string, EarlierCall> | undefined,
  ): Promise<RoundOutcome> {
    const round = this.#round;
    const deps = this.#deps;
    try {
      for (const part of calls) {
        const earlier = resume?.get(part.id);
        if (earlier?.finished !== undefined) continue;
        const ended = round.ended();
        if (ended !== undefined) {
          if (!isLeftOpen(part.id, round, deps)) finish(part.id, part.name, notRun(ended), deps);
          continue;
        }
        const spot = this.#parking.enter();
        const mark = this.#lanes.mark();
        const judging = preflight(part, this.#messageId, earlier, round, deps, spot);
        // Most questions wait for this process: then nothing is held but the call itself.
        const ready = await (deps.gate.mayPark(part.id) ? spot.unlessParked(judging) : judging);
        if (ready !== undefined) await this.#goOn(part, ready, spot, mark);
        else this.#late = [...this.#late, this.#goOnLater(part, judging, spot)];
      }
    } catch (error) {
      round.fail(error);
    }
    this.#parking.close();
    await Promise.all(this.#late);
    await this.#lanes.idle();
    return round.close();
  }

  async #goOn(part: ToolCallPart, ready: Preflight, spot: Spot, mark: number): Promise<void> {
    if (ready.kind !== "ready") {
      if (ready.kind === "ended") finish(part.id, ready.name, ready.ending, this.#deps);
      spot.leave();
      return;
    }
    const { verdict } = ready;
    const isSafe = isConcurrencySafe(verdict);
    await this.#lanes.start(isSafe, mark, (isStale) => this.#execute(part, verdict, spot, isStale));
  }

  /** A call that waits for somebody holds up nobody; it goes on when it is answered, in whatever order. */
  async #goOnLater(part: ToolCallPart, judging: Promise<Preflight>, spot: Spot): Promise<void> {
    try {
      // What was judged before the answer came may have changed since.
      await this.#goOn(part, await judging, spot, -1);
    } catch (error) {
      this.#round.fail(error);
      spot.leave();
    }
  }

  /** Never rejects: what the log throws ends the round. */
  async #execute(part: ToolCallPart, verdict: RunVerdict, spot: Spot, isStale: boolean): Promise<void> {
    const round = this.#round;
    const deps = this.#deps;
    const { repeats, nesting } = this.#parts;
    try {
      const note = repeats.note(verdict.tool, verdict.input);
      const nest = nesting(part, this.#messageId, round, deps);
      await execute(part, verdict, note, this.#messageId, round, deps, nest, { isStale, spot });
    } catch (error) {
      round.fail(error);
    }
    spot.leave();
  }
}
