import type { JobResult } from "../jobs/job.ts";
import { BARS } from "../report/bars.ts";
import { aiSdkRow, type Row, ratioRow } from "../report/row.ts";
import { type Lab, WITH_AI_SDK } from "./lab.ts";
import { compare, inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

const wall = (r: JobResult): number => r.turn ?? 0;
const cpu = (r: JobResult): number => r.cpu ?? 0;
const growth = (r: JobResult): number => (r.late ?? 0) / (r.early ?? 1);

/** The short session runs in a fresh process; the long one after a warm-up, so that its growth is that of the history. */
export async function turnRows(lab: Lab, sizes: Sizes): Promise<Row[]> {
  const [short, long] = sizes.turns;
  const cold = await inRounds(lab, sizes.rounds, { kind: "turns", turns: short, warmUp: 0 });
  const job = { kind: "turns", turns: long, warmUp: short } as const;
  const warm = await inRounds(lab, sizes.rounds, job, WITH_AI_SDK);
  return [
    ratioRow(`a turn of ${short}, fresh process`, "ms", compare(cold, wall), BARS.turn),
    ratioRow(`a turn of ${short}, CPU`, "ms", compare(cold, cpu)),
    ratioRow(`a turn of ${long}`, "ms", compare(warm, wall), BARS.turn),
    ratioRow(`a turn of ${long}, CPU`, "ms", compare(warm, cpu)),
    ratioRow(`turn ${long} / turn 10`, "times", compare(warm, growth), BARS.growth),
    aiSdkRow(`a turn of ${long}`, "ms", compare(warm, wall, "ai-sdk")),
    aiSdkRow(`a turn of ${long}, CPU`, "ms", compare(warm, cpu, "ai-sdk")),
  ];
}
