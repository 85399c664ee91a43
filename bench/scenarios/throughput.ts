import { BARS } from "../report/bars.ts";
import { type Row, ratioRow } from "../report/row.ts";
import type { Lab } from "./lab.ts";
import { compare, inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

/** Many sessions of five turns in one process. */
export async function throughputRows(lab: Lab, { rounds, sessions, atOnce }: Sizes): Promise<Row[]> {
  const measured = await inRounds(lab, rounds, { kind: "throughput", sessions, turns: 5, atOnce });
  return [
    ratioRow(
      `sessions a second, ${sessions} by ${atOnce}`,
      "1/s",
      compare(measured, (r) => r.perSecond ?? 0),
      BARS.throughput,
    ),
    ratioRow(
      "a session of 5 turns, CPU",
      "ms",
      compare(measured, (r) => r.cpu ?? 0),
    ),
  ];
}
