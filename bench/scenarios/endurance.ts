import { BARS } from "../report/bars.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { runAlone } from "./run-alone.ts";
import type { Sizes } from "./sizes.ts";

interface Endured {
  readonly growth: { readonly heapMb: number; readonly rssMb: number; readonly files: number };
  readonly ended: number;
}

/** Many running sessions for some minutes: whether memory and open files grow. */
export async function enduranceRows({ minutes, running }: Sizes): Promise<Row[]> {
  const { growth, ended } = await runAlone<Endured>("endurance", [minutes, running], ["--expose-gc"]);
  const name = `${running} running sessions, ${minutes} minutes`;
  return [
    absoluteRow(`${name}: heap grows by`, "MB", growth.heapMb, BARS.enduranceHeapMb),
    absoluteRow(`${name}: RSS grows by`, "MB", growth.rssMb, BARS.enduranceRssMb),
    absoluteRow(`${name}: open files grow by`, "", growth.files, BARS.enduranceFiles),
    absoluteRow(`${name}: sessions ended`, "", ended),
  ];
}
