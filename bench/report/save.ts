import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Row } from "./row.ts";

const run = promisify(execFile);
const DIST = fileURLToPath(new URL(".", import.meta.url));

/** Writes the rows as JSON: into the history when the run was a whole one, else beside the build. Gives the path. */
export async function saveResults(
  rows: readonly Row[],
  { keep, sizes }: { readonly keep: boolean; readonly sizes: object },
): Promise<string> {
  const commit = await git("rev-parse", "--short", "HEAD");
  const dirty = (await git("status", "--porcelain")) !== "";
  const date = new Date().toISOString();
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model.trim(),
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    load: loadavg().map((load) => Number(load.toFixed(2))),
  };
  const folder = keep ? fileURLToPath(new URL("../results/", import.meta.url)) : DIST;
  await mkdir(folder, { recursive: true });
  const path = `${folder}${date.slice(0, 10)}-${commit || "unknown"}.json`;
  await writeFile(
    path,
    `${JSON.stringify({ date, commit, dirty, machine, sizes, rows: rows.map(rounded) }, null, 2)}\n`,
  );
  return path;
}

function rounded(row: Row): object {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === "number" ? Number(value.toPrecision(5)) : value,
    ]),
  );
}

async function git(...args: string[]): Promise<string> {
  try {
    return (await run("git", args, { cwd: DIST })).stdout.trim();
  } catch {
    return "";
  }
}
