import type { JobResult } from "../jobs/job.ts";
import { BARS } from "../report/bars.ts";
import { aiSdkRow, type Row, ratioRow } from "../report/row.ts";
import { type Lab, WITH_AI_SDK } from "./lab.ts";
import { compare, inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

const firstCall = (r: JobResult): number => (r.firstCall ?? 0) - (r.spawned ?? 0);
const finalText = (r: JobResult): number => (r.finalText ?? 0) - (r.spawned ?? 0);
const cpu = (r: JobResult): number => r.cpu ?? 0;

/** From the start of the process: import, open a session, one tool call, the last word. */
export async function startRows(lab: Lab, sizes: Sizes): Promise<Row[]> {
  const rounds = await inRounds(lab, sizes.shortRounds, { kind: "start" }, WITH_AI_SDK);
  return [
    ratioRow("start to first tool call", "ms", compare(rounds, firstCall)),
    ratioRow("start to final text", "ms", compare(rounds, finalText), BARS.finalText),
    ratioRow("start to final text, CPU", "ms", compare(rounds, cpu)),
    aiSdkRow("start to final text", "ms", compare(rounds, finalText, "ai-sdk")),
    aiSdkRow("start to final text, CPU", "ms", compare(rounds, cpu, "ai-sdk")),
  ];
}
