import { BARS } from "../report/bars.ts";
import { type Row, ratioRow } from "../report/row.ts";
import type { Lab } from "./lab.ts";
import { compare, inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

/** One long answer, each delta of which reaches the program. */
export async function deltaRows(lab: Lab, { rounds, deltas }: Sizes): Promise<Row[]> {
  const measured = await inRounds(lab, rounds, { kind: "deltas", deltas, warmUp: deltas / 5 });
  return [
    ratioRow(
      `a delta of ${deltas}, CPU`,
      "µs",
      compare(measured, (r) => 1_000 * (r.cpu ?? 0)),
      BARS.delta,
    ),
    ratioRow(
      `a delta of ${deltas}`,
      "µs",
      compare(measured, (r) => 1_000 * (r.wall ?? 0)),
    ),
  ];
}
