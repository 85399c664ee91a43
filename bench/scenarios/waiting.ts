import { BARS } from "../report/bars.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { runAlone } from "./run-alone.ts";
import type { Sizes } from "./sizes.ts";

/** What sessions hold that wait for a person. */
export async function waitingRows({ waiting }: Sizes): Promise<Row[]> {
  const held = await runAlone<number>("waiting", [waiting], ["--expose-gc"]);
  return [absoluteRow(`${waiting} sessions that wait`, "MB", held, BARS.waitingMb)];
}
