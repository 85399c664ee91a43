import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { runAlone } from "./run-alone.ts";
import type { Sizes } from "./sizes.ts";

type Resumed = { readonly log: number; readonly snapshot: number };

/** A long session, up to the first request of its next turn: from its whole log, and from a snapshot. */
export async function resumeRows({ rounds, events }: Sizes): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ["jsonl", "sqlite"]) {
    const all: Resumed[] = [];
    for (let round = 0; round < rounds; round += 1)
      all.push(await runAlone<Resumed>("resume", [kind, events]));
    for (const from of ["log", "snapshot"] as const) {
      const ms = median(all.map((one) => one[from]));
      rows.push(absoluteRow(`resume of ${events} events, ${kind}, ${from}`, "ms", ms, BARS.resumeMs));
    }
  }
  return rows;
}
