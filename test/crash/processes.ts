import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ModelRequest, SessionEvent } from "@castellan/sdk";
import { built } from "../setup/built.ts";
import type { Kill, Kind, Point } from "./points.ts";

/** What one process of a session is started with. */
export interface Start {
  readonly kind: Kind;
  readonly home: string;
  readonly work: string;
  readonly sessionId: string;
  readonly prompt: string;
  readonly resume: boolean;
  readonly durability: Kill["durability"];
  /** Of a session with timers: a message or a round waits, beside what is due later. */
  readonly owes?: boolean;
  /** Of a session with an inbox: the person has sent the second message. */
  readonly said?: boolean;
  /** Where it stands still, and is killed. Default: it runs to its end. */
  readonly point?: Point;
}

/** What a process told until it was gone. */
export interface Told {
  /** It came to its point and was killed there. */
  readonly wasKilled: boolean;
  /** Events of appends that were acknowledged. */
  readonly written: readonly SessionEvent[];
  readonly appends: number;
  /** Its steps at other ports of the store. */
  readonly steps: readonly string[];
  /** What it told a person of. */
  readonly asked: number;
  readonly results: readonly { readonly subtype: string; readonly errors?: readonly string[] }[];
  /** The first and the last one. */
  readonly requests: readonly ModelRequest[];
  /** What it said beside that: warnings, stacks. */
  readonly stderr: string;
}

/** Puts the program where the built packages are found. Once a test file. */
export async function installProgram(): Promise<string> {
  const { folder } = await built();
  const place = mkdtempSync(join(folder, "crash-"));
  cpSync(fileURLToPath(new URL("program", import.meta.url)), place, { recursive: true });
  return place;
}

/** One line that a process tells. */
export interface Line {
  readonly step?: string;
  readonly asked?: { readonly id: string; readonly text: string };
  readonly there?: true;
  readonly written?: readonly SessionEvent[];
  readonly end?: Told["results"];
  readonly requests?: readonly ModelRequest[];
}

/** Runs a process to its end, or kills it with SIGKILL in the moment in which it says that it is at its point. */
export async function runProcess(
  program: string,
  start: Start,
  { script = "run.mjs", heard }: { readonly script?: string; heard?(line: Line): void } = {},
): Promise<Told> {
  const { point, home } = start;
  const watch =
    point?.kind === "transaction" ? { NODE_OPTIONS: `--require ${program}/watch-driver.cjs` } : {};
  const child = spawn(process.execPath, [join(program, script), JSON.stringify(start)], {
    cwd: program,
    env: {
      PATH: process.env.PATH,
      ...{
        HOME: home,
        CASTELLAN_HOME: home,
        TMPDIR: join(home, "tmp"),
        CASTELLAN_CRASH_POINT: JSON.stringify(point ?? {}),
        ...watch,
      },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (_, signal) => resolve(signal));
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const written: SessionEvent[] = [];
  let appends = 0;
  const steps: string[] = [];
  let asked = 0;
  let results: Told["results"] = [];
  let requests: readonly ModelRequest[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    if (line.there) child.kill("SIGKILL");
    heard?.(line);
    if (line.written !== undefined) appends += 1;
    if (line.step !== undefined) steps.push(line.step);
    if (line.asked !== undefined) asked += 1;
    written.push(...(line.written ?? []));
    results = line.end ?? results;
    requests = line.requests ?? requests;
  }
  return {
    wasKilled: (await closed) === "SIGKILL",
    written,
    appends,
    steps,
    asked,
    results,
    requests,
    stderr,
  };
}

/** Processes that live and work in a folder. */
export function processesIn(folder: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(folder) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** The driver is what the packages find by themselves. */
export const hasLibsql = (): boolean => {
  try {
    return createRequire(import.meta.url).resolve("libsql") !== "";
  } catch {
    return false;
  }
};

/** The lines of a file that a tool appends to; none where it is not there. */
export function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
