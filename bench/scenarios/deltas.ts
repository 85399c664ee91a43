import type { JobResult } from "../jobs/job.ts";
import { BARS } from "../report/bars.ts";
import { aiSdkRow, type Row, ratioRow } from "../report/row.ts";
import { type Lab, WITH_AI_SDK } from "./lab.ts";
import { compare, inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

const cpu = (r: JobResult): number => 1_000 * (r.cpu ?? 0);
const wall = (r: JobResult): number => 1_000 * (r.wall ?? 0);

/** One long answer, each delta of which reaches the program. */
export async function deltaRows(lab: Lab, { rounds, deltas }: Sizes): Promise<Row[]> {
  const job = { kind: "deltas", deltas, warmUp: deltas / 5 } as const;
  const measured = await inRounds(lab, rounds, job, WITH_AI_SDK);
  const name = `a delta of ${deltas}`;
  return [
    ratioRow(`${name}, CPU`, "µs", compare(measured, cpu), BARS.delta),
    ratioRow(name, "µs", compare(measured, wall)),
    aiSdkRow(`${name}, CPU`, "µs", compare(measured, cpu, "ai-sdk")),
    aiSdkRow(name, "µs", compare(measured, wall, "ai-sdk")),
  ];
}
