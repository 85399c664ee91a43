import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { file } from "./lab.ts";
import type { Sizes } from "./sizes.ts";

const run = promisify(execFile);
const CALLS = 1_000;

/** A process in which sessions call a tool of a server in the same process, many times each. */
export async function inProcessRows({ shortRounds }: Sizes): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), "castellan-bench-"));
  try {
    const args = [file("calls-in-process.js"), String(CALLS), String(shortRounds)];
    const env = { ...process.env, CASTELLAN_HOME: home, NODE_ENV: "production" };
    const { stdout } = await run(process.execPath, args, { cwd: home, env });
    const sessions = JSON.parse(stdout) as readonly { readonly wall: number; readonly cpu: number }[];
    const of = (key: "wall" | "cpu"): number => median(sessions.map((each) => each[key]));
    return [
      absoluteRow("in-process MCP call", "µs", of("wall"), BARS.callInProcess),
      absoluteRow("in-process MCP call, CPU", "µs", of("cpu")),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
