import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { runAlone } from "./run-alone.ts";
import type { Sizes } from "./sizes.ts";

interface Course {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly firstCycleMs: number;
  readonly lastCycleMs: number;
  readonly heapMb: number;
  readonly rssMb: number;
  readonly summaries: number;
}

/** A session that sums up its history many times: whether a turn takes longer at its end, and what it holds. */
export async function longSessionRows({ rounds, longTurns }: Sizes): Promise<Row[]> {
  const all: Course[] = [];
  for (let round = 0; round < rounds; round += 1) {
    all.push(await runAlone<Course>("long-session", [longTurns], ["--expose-gc"]));
  }
  const of = (key: keyof Course): number => median(all.map((one) => one[key]));
  const name = `a session of ${longTurns} turns`;
  return [
    absoluteRow(
      `${name}: last tenth / first tenth`,
      "",
      median(all.map((one) => one.lastMs / one.firstMs)),
      BARS.growth,
    ),
    absoluteRow(
      `${name}: the same from summary to summary`,
      "",
      median(all.map((one) => one.lastCycleMs / one.firstCycleMs)),
      BARS.growth,
    ),
    absoluteRow(`${name}: a turn at the start, CPU`, "ms", of("firstMs")),
    absoluteRow(`${name}: a turn at the end, CPU`, "ms", of("lastMs")),
    absoluteRow(`${name}: heap grows by`, "MB", of("heapMb"), BARS.longHeapMb),
    absoluteRow(`${name}: summaries`, "", of("summaries")),
  ];
}
