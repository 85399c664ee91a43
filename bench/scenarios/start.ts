import { BARS } from "../report/bars.ts";
import { type Row, ratioRow } from "../report/row.ts";
import type { Lab } from "./lab.ts";
import { compare, inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

/** From the start of the process: import, open a session, one tool call, the last word. */
export async function startRows(lab: Lab, sizes: Sizes): Promise<Row[]> {
  const rounds = await inRounds(lab, sizes.shortRounds, { kind: "start" });
  return [
    ratioRow(
      "start to first tool call",
      "ms",
      compare(rounds, (r) => (r.firstCall ?? 0) - (r.spawned ?? 0)),
    ),
    ratioRow(
      "start to final text",
      "ms",
      compare(rounds, (r) => (r.finalText ?? 0) - (r.spawned ?? 0)),
      BARS.finalText,
    ),
    ratioRow(
      "start to final text, CPU",
      "ms",
      compare(rounds, (r) => r.cpu ?? 0),
    ),
  ];
}
