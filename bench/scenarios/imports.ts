import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { file } from "./lab.ts";
import type { Sizes } from "./sizes.ts";

const run = promisify(execFile);

/** A fresh process that imports the published entry and tells how long that took. */
export async function importRows({ shortRounds }: Sizes): Promise<Row[]> {
  const times: number[] = [];
  for (let i = 0; i < shortRounds; i++) {
    const { stdout } = await run(process.execPath, [file("import-once.js")]);
    times.push(Number(stdout));
  }
  return [absoluteRow("import of @castellan/sdk", "ms", median(times), BARS.importMs)];
}
