import type { JobResult } from "../jobs/job.ts";
import { median } from "../report/median.ts";
import { ENGINES, type EngineName, type Lab, type Order } from "./lab.ts";

/** What every engine measured in every round. */
export type Rounds = readonly Readonly<Record<EngineName, JobResult>>[];

/** Each round runs every engine once; who begins changes, so that no engine has the quiet moments to itself. */
export async function inRounds(lab: Lab, count: number, job: Order): Promise<Rounds> {
  const rounds: Record<EngineName, JobResult>[] = [];
  for (let round = 0; round < count; round++) {
    const results: Partial<Record<EngineName, JobResult>> = {};
    for (let i = 0; i < ENGINES.length; i++) {
      const engine = ENGINES[(round + i) % ENGINES.length] ?? "castellan";
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

/** Medians of each engine, and the medians of the ratios within a round. */
export function compare(rounds: Rounds, value: (result: JobResult) => number): Compared {
  const of = (engine: EngineName): number => median(rounds.map((round) => value(round[engine])));
  const ratio = (floor: EngineName): number =>
    median(rounds.map((round) => value(round.castellan) / value(round[floor])));
  return {
    ours: of("castellan"),
    http: of("http"),
    fetch: of("fetch"),
    ratio: ratio("http"),
    fetchRatio: ratio("fetch"),
  };
}
