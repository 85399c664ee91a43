import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { runAlone } from "./run-alone.ts";
import type { Sizes } from "./sizes.ts";

interface Figures {
  readonly list: number;
  readonly watch: number;
  readonly decide: number;
  readonly hear: number;
}

const NAMES: Readonly<Record<keyof Figures, string>> = {
  list: "list of all that waits",
  watch: "watch, until it has told all that waits",
  decide: "a decision",
  hear: "another process hears of a decision",
};

/** The inbox of sessions that wait, four calls each, over a store that two hold. */
export async function approvalRows({ shortRounds, inbox }: Sizes): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ["jsonl", "sqlite"]) {
    const all: Figures[] = [];
    for (let round = 0; round < shortRounds; round += 1)
      all.push(await runAlone<Figures>("approvals", [kind, inbox]));
    for (const what of Object.keys(NAMES) as (keyof Figures)[]) {
      const ms = median(all.map((one) => one[what]));
      rows.push(absoluteRow(`inbox of ${inbox} sessions, ${kind}: ${NAMES[what]}`, "ms", ms, BARS.inboxMs));
    }
  }
  return rows;
}
