import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { file } from "./lab.ts";

const run = promisify(execFile);

/** Runs a job in a process and a home of its own, and reads what it prints. */
export async function runAlone<T>(
  job: string,
  args: readonly (string | number)[],
  flags: readonly string[] = [],
): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "castellan-bench-"));
  try {
    const env = { ...process.env, CASTELLAN_HOME: home, NODE_ENV: "production" };
    const all = [...flags, file(`${job}.js`), ...args.map(String)];
    const { stdout } = await run(process.execPath, all, { cwd: home, env, maxBuffer: 64 * 1_048_576 });
    return JSON.parse(stdout) as T;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
