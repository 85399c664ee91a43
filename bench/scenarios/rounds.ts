import type { JobResult } from "../jobs/job.ts";
import { median } from "../report/median.ts";
import { ENGINES, type EngineName, type Lab, type Order } from "./lab.ts";

/** What every engine measured in every round. */
export type Rounds = readonly Readonly<Record<EngineName, JobResult>>[];

/** Each round runs every engine once; who begins changes, so that no engine has the quiet moments to itself. */
export async function inRounds(
  lab: Lab,
  count: number,
  job: Order,
  engines: readonly EngineName[] = ENGINES,
): Promise<Rounds> {
  const rounds: Record<EngineName, JobResult>[] = [];
  for (let round = 0; round < count; round++) {
    const results: Partial<Record<EngineName, JobResult>> = {};
    for (let i = 0; i < engines.length; i++) {
      const engine = engines[(round + i) % engines.length] ?? "castellan";
      results[engine] = await lab.run(engine, job);
    }
    rounds.push(results as Record<EngineName, JobResult>);
  }
  return rounds;
}

export interface Compared {
  readonly ours: number;
  readonly http: number;
  readonly fetch: number;
  readonly ratio: number;
  readonly fetchRatio: number;
}

/**
 * Medians of each engine, and the medians of the ratios within a round.
 *
 * @param own the engine that is held against the floors.
 */
export function compare(
  rounds: Rounds,
  value: (result: JobResult) => number,
  own: EngineName = "castellan",
): Compared {
  const of = (engine: EngineName): number => median(rounds.map((round) => value(round[engine])));
  const ratio = (floor: EngineName): number =>
    median(rounds.map((round) => value(round[own]) / value(round[floor])));
  return {
    ours: of(own),
    http: of("http"),
    fetch: of("fetch"),
    ratio: ratio("http"),
    fetchRatio: ratio("fetch"),
  };
}
