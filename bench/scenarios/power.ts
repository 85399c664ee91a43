import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { runAlone } from "./run-alone.ts";
import type { Sizes } from "./sizes.ts";

type Round = { readonly process: number; readonly power: number; readonly flush: number };

/** What it costs that a turn outlasts a power cut. The floor is the same turn without that, and one wait for the disk. */
export async function powerRows({ shortRounds, turns: [short] }: Sizes): Promise<Row[]> {
  const rounds = await runAlone<readonly Round[]>("power", [short, shortRounds]);
  const of = (key: keyof Round): number => median(rounds.map((round) => round[key]));
  const ratio = median(rounds.map(({ process, power, flush }) => power / (process + flush)));
  return [
    absoluteRow("a turn, durability power / process and one fdatasync", "times", ratio, BARS.power),
    absoluteRow("a turn, durability power", "ms", of("power")),
    absoluteRow("a turn, durability process", "ms", of("process")),
    absoluteRow("one fdatasync (floor)", "ms", of("flush")),
  ];
}
