import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { fold } from "../../packages/sdk/src/sessions/index.ts";
import type { Kill, Kind, Point } from "./points.ts";
import { processesIn, readLines, runProcess, type Start, type Told } from "./processes.ts";

/** All that is left when a session has been killed and has gone on to its end. */
export interface Survived {
  /** What each killed process left in the store. */
  readonly left: readonly (readonly SessionEvent[])[];
  /** Acknowledged at any time. */
  readonly written: readonly SessionEvent[];
  readonly final: readonly SessionEvent[];
  readonly told: readonly Told[];
  /** Lines of the files that tools append to, and of the questions that a person answered. */
  readonly files: {
    readonly [name in
      | "notes.txt"
      | "published.txt"
      | "shell.txt"
      | "asked.txt"
      | "a.txt"
      | "b.txt"]: string[];
  };
  /** Processes that work in the folder of the session although it is over. */
  readonly orphans: readonly number[];
}

const SESSION = "0199a0b0-0000-7000-8000-0000000000c7";
const STORES = { jsonl: jsonlStore, sqlite: sqliteStore };

/** Runs a session that nobody kills. */
export function runWhole(program: string, kind: Kind): Promise<Survived> {
  return run(program, kind, "process", []);
}

/** Kills a session at a point, and lets other processes go on with it. */
export function survive(program: string, { store, point, again, durability }: Kill): Promise<Survived> {
  return run(program, store, durability, [
    () => point,
    ...(again === undefined
      ? []
      : [(stored: number): Point => ({ kind: "recorded", event: stored + again })]),
  ]);
}

async function run(
  program: string,
  kind: Kind,
  durability: Kill["durability"],
  kills: readonly ((stored: number) => Point)[],
): Promise<Survived> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "castellan-crash-")));
  const work = join(home, "work");
  for (const each of [work, join(home, "tmp")]) mkdirSync(each);
  writeFileSync(join(work, "a.txt"), "one\n");
  writeFileSync(join(work, "b.txt"), "blue\n");
  try {
    const left: (readonly SessionEvent[])[] = [];
    const told: Told[] = [];
    let stored: readonly SessionEvent[] = [];
    for (const kill of [...kills, undefined]) {
      const point = kill?.(stored.length);
      const how = opening(stored, left.length);
      const place = { kind, home, work, durability, sessionId: SESSION };
      const start: Start = { ...place, ...how, ...(point ? { point } : {}) };
      told.push(await runProcess(program, start));
      stored = await readLog(kind, home);
      if (kill !== undefined) left.push(stored);
    }
    const lines = (name: string): string[] => readLines(join(work, name));
    return {
      left,
      told,
      written: told.flatMap((each) => each.written),
      final: stored,
      files: {
        "notes.txt": lines("notes.txt"),
        "published.txt": lines("published.txt"),
        "shell.txt": lines("shell.txt"),
        "asked.txt": lines("asked.txt"),
        "a.txt": lines("a.txt"),
        "b.txt": lines("b.txt"),
      },
      orphans: processesIn(work),
    };
  } finally {
    // Nothing of a failed test outlives it.
    for (const pid of processesIn(work)) process.kill(pid, "SIGKILL");
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** How the next process goes on: where something is owed, without a word or with one, in turns. */
function opening(stored: readonly SessionEvent[], kills: number): Pick<Start, "resume" | "prompt"> {
  if (stored.length === 0) return { resume: false, prompt: "Go." };
  const { round, messages } = fold(stored);
  const owes = round !== undefined || (messages.length > 0 && messages.at(-1)?.role !== "assistant");
  return { resume: true, prompt: owes && (stored.length + kills) % 2 === 0 ? "" : "Go on." };
}

async function readLog(kind: Kind, home: string): Promise<readonly SessionEvent[]> {
  const store = STORES[kind]({ home });
  try {
    return await store.read(SESSION);
  } finally {
    await store.close();
  }
}
