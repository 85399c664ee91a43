import { BARS } from "../report/bars.ts";
import { type Row, ratioRow } from "../report/row.ts";
import type { Lab } from "./lab.ts";
import { compare, inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

/** The short session runs in a fresh process; the long one after a warm-up, so that its growth is that of the history. */
export async function turnRows(lab: Lab, sizes: Sizes): Promise<Row[]> {
  const [short, long] = sizes.turns;
  const cold = await inRounds(lab, sizes.rounds, { kind: "turns", turns: short, warmUp: 0 });
  const warm = await inRounds(lab, sizes.rounds, { kind: "turns", turns: long, warmUp: short });
  return [
    ratioRow(
      `a turn of ${short}, fresh process`,
      "ms",
      compare(cold, (r) => r.turn ?? 0),
      BARS.turn,
    ),
    ratioRow(
      `a turn of ${short}, CPU`,
      "ms",
      compare(cold, (r) => r.cpu ?? 0),
    ),
    ratioRow(
      `a turn of ${long}`,
      "ms",
      compare(warm, (r) => r.turn ?? 0),
      BARS.turn,
    ),
    ratioRow(
      `a turn of ${long}, CPU`,
      "ms",
      compare(warm, (r) => r.cpu ?? 0),
    ),
    ratioRow(
      `turn ${long} / turn 10`,
      "times",
      compare(warm, (r) => (r.late ?? 0) / (r.early ?? 1)),
      BARS.growth,
    ),
  ];
}
