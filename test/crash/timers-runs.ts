import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { SessionEvent } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { fold } from "../../packages/sdk/src/sessions/index.ts";
import type { Kill, Kind, Point } from "./points.ts";
import { logProblems, of, placeProblems } from "./problems.ts";
import { readLines, runProcess, type Start, type Told } from "./processes.ts";

/** What is left of a session with timers, when it was killed and others went on with it. */
export interface TimersSurvived {
  readonly left: readonly (readonly SessionEvent[])[];
  readonly written: readonly SessionEvent[];
  readonly final: readonly SessionEvent[];
  readonly told: readonly Told[];
  readonly notes: readonly string[];
  /** What would still be woken. */
  readonly wakes: number;
}

const SESSION = "0199a0b0-0000-7000-8000-0000000000c9";
const STORES = { jsonl: jsonlStore, sqlite: sqliteStore };

export async function runTimers(program: string, kind: Kind, kill?: Kill): Promise<TimersSurvived> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "castellan-crash-")));
  const work = join(home, "work");
  for (const each of [work, join(home, "tmp")]) mkdirSync(each);
  const store = STORES[kind]({ home });
  try {
    const left: (readonly SessionEvent[])[] = [];
    const told: Told[] = [];
    let stored: readonly SessionEvent[] = [];
    for (const kills of pointsOf(kill)) {
      const point = kills?.(stored.length);
      const start: Start = {
        ...{ kind, home, work, durability: kill?.durability ?? "process", sessionId: SESSION },
        ...opening(stored),
        ...(point ? { point } : {}),
      };
      told.push(await runProcess(program, start, { script: "timers.mjs" }));
      stored = await store.read(SESSION);
      if (point !== undefined) left.push(stored);
    }
    const wakes = (await store.wakes.list(SESSION)).length;
    const written = told.flatMap((each) => each.written);
    return { left, told, written, final: stored, notes: readLines(join(work, "notes.txt")), wakes };
  } finally {
    await store.close();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function pointsOf(kill: Kill | undefined): readonly (((stored: number) => Point) | undefined)[] {
  if (kill === undefined) return [undefined];
  const { point, again } = kill;
  const second =
    again === undefined ? [] : [(stored: number): Point => ({ kind: "recorded", event: stored + again })];
  return [() => point, ...second, undefined];
}

function opening(stored: readonly SessionEvent[]): Pick<Start, "resume" | "prompt" | "owes"> {
  if (stored.length === 0) return { resume: false, prompt: "Go.", owes: true };
  const { round, messages } = fold(stored);
  const owes = round !== undefined || messages.at(-1)?.role !== "assistant";
  return { resume: true, prompt: messages.length === 0 ? "Go." : "", owes };
}

/** What is wrong; empty where each timer fired once, and what it was for was done once. */
export function timerProblems(survived: TimersSurvived, kill?: Kill): readonly string[] {
  return [
    ...(kill === undefined ? [] : placeProblems(survived, kill.point)),
    ...logProblems(survived),
    ...endProblems(survived),
    ...callProblems(survived),
    ...onceProblems(survived),
  ];
}

function* endProblems({ told, left, final, wakes }: TimersSurvived): Generator<string> {
  for (const { stderr } of told) if (stderr !== "") yield `said: ${stderr}`;
  const results = told.at(-1)?.results ?? [];
  if (results.some(({ subtype }) => subtype !== "success")) yield `ended with ${JSON.stringify(results)}`;
  const last = final.at(-1)?.type;
  // Killed behind the last answer: nobody owes anything more, and nobody went on.
  const isOver = last === "model.completed" && left.at(-1)?.length === final.length;
  if (last !== "result" && !isOver) yield `the log ends with ${last}`;
  if (wakes > 0) yield `${wakes} would be woken still`;
}

function* callProblems({ left, final, notes }: TimersSurvived): Generator<string> {
  const ends = of(final, "tool.finished").map(({ data }) => data);
  const ids = ["call_1", "call_2", "call_3", "call_4"];
  if (!isDeepStrictEqual(ends.map(({ callId }) => callId).sort(), ids)) {
    yield `the results are of ${ends.map(({ callId }) => callId)}`;
  }
  const open = new Set(left.flatMap(begunWithoutEnd));
  for (const { callId, name, outcome, content } of ends) {
    if (outcome !== "finished" && !(outcome === "unknown" && open.has(callId)))
      yield `${callId} (${name}) ${outcome}: ${JSON.stringify(content)}`;
    const times = notes.filter((line) => line.startsWith(`${callId} `)).length;
    if (name === "note" && (outcome === "finished" ? times !== 1 : times > 1)) {
      yield `${callId} is ${outcome}, and was done ${times} times`;
    }
  }
}

function begunWithoutEnd(events: readonly SessionEvent[]): readonly string[] {
  const ended = new Set(of(events, "tool.finished").map(({ data }) => data.callId));
  return of(events, "tool.started").flatMap(({ data }) => (ended.has(data.callId) ? [] : [data.callId]));
}

function* onceProblems({ final }: TimersSurvived): Generator<string> {
  const set = of(final, "timer.set").map(({ data }) => data);
  const over = [...of(final, "timer.fired"), ...of(final, "timer.cleared")].map(({ data }) => data.timerId);
  for (const { timerId, kind } of set) {
    const times = over.filter((id) => id === timerId).length;
    if (times !== 1) yield `${timerId} (${kind}) was over ${times} times`;
  }
  const wakeups = set.filter(({ kind }) => kind === "wakeup");
  if (wakeups.length > 1) yield `${wakeups.length} wake-ups were set`;
  const heard = of(final, "user.message").filter(({ data }) =>
    JSON.stringify(data).includes("Look at the oven."),
  );
  if (heard.length !== 1) yield `the wake-up was heard ${heard.length} times`;
}
