import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ApprovalDecision,
  type ApprovalRecord,
  type Approvals,
  approvalsOf,
  type SessionEvent,
} from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { fold } from "../../packages/sdk/src/sessions/index.ts";
import type { Kill, Kind, Point } from "./points.ts";
import { type Line, readLines, runProcess, type Start, type Told } from "./processes.ts";
import { MESSAGE } from "./program/inbox-script.mjs";

/** What is left of a session with calls in the inbox, when it was killed and others went on with it. */
export interface InboxSurvived {
  readonly left: readonly (readonly SessionEvent[])[];
  readonly written: readonly SessionEvent[];
  readonly final: readonly SessionEvent[];
  readonly told: readonly Told[];
  readonly files: { readonly "sent.txt": string[]; readonly "notes.txt": string[] };
  readonly records: readonly ApprovalRecord[];
  readonly decisions: ReadonlyMap<string, ApprovalDecision>;
}

const SESSION = "0199a0b0-0000-7000-8000-0000000000c8";
const STORES = { jsonl: jsonlStore, sqlite: sqliteStore };

/** Runs it without a kill, or kills it at a point, and once more on the way back. */
export async function runInbox(program: string, kind: Kind, kill?: Kill): Promise<InboxSurvived> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "castellan-crash-")));
  const work = join(home, "work");
  for (const each of [work, join(home, "tmp")]) mkdirSync(each);
  const store = STORES[kind]({ home });
  const inbox = approvalsOf(store);
  try {
    const left: (readonly SessionEvent[])[] = [];
    const told: Told[] = [];
    let stored: readonly SessionEvent[] = [];
    for (const kills of pointsOf(kill)) {
      const point = kills?.(stored.length);
      const isSaid = JSON.stringify(stored).includes(MESSAGE);
      const start: Start = {
        ...{ kind, home, work, durability: kill?.durability ?? "process", sessionId: SESSION, said: isSaid },
        ...opening(stored),
        ...(point ? { point } : {}),
      };
      const decider = createDecider(inbox, isSaid);
      told.push(await runProcess(program, start, { script: "inbox.mjs", heard: decider.heard }));
      await decider.idle();
      stored = await store.read(SESSION);
      if (point === undefined) continue;
      left.push(stored);
      // Every other time somebody decides while nobody runs the session.
      if (stored.length % 2 === 1) await decidePending(inbox, stored);
    }
    const records = await inbox.list();
    const decisions = new Map<string, ApprovalDecision>();
    for (const { id } of records) {
      const decision = await inbox.decisionOf(id);
      if (decision !== undefined) decisions.set(id, decision);
    }
    const lines = (name: string): string[] => readLines(join(work, name));
    return {
      ...{ left, told, written: told.flatMap((each) => each.written), final: stored, records, decisions },
      files: { "sent.txt": lines("sent.txt"), "notes.txt": lines("notes.txt") },
    };
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

function opening(stored: readonly SessionEvent[]): Pick<Start, "resume" | "prompt"> {
  const { round, messages } = fold(stored);
  // A message that was not written was never said.
  const prompt = "Go. Never touch /srv.";
  if (messages.length === 0) return { resume: stored.length > 0, prompt };
  const owes = round !== undefined || messages.at(-1)?.role !== "assistant";
  return { resume: true, prompt: owes ? "" : "Go on." };
}

/** Decides what the process tells of. */
function createDecider(inbox: Approvals, isSaid: boolean) {
  let work = Promise.resolve();
  let isHeard = isSaid;
  let held: string | undefined;
  const queue = (id: string): void => {
    work = work.then(() => decide(inbox, id));
  };
  return {
    heard(line: Line): void {
      const { asked, written = [] } = line;
      isHeard ||= JSON.stringify(written).includes(MESSAGE);
      // The message is to come while the call waits.
      if (asked?.text === "more" && !isHeard) held = asked.id;
      else if (asked !== undefined) queue(asked.id);
      if (held === undefined || !isHeard) return;
      queue(held);
      held = undefined;
    },
    idle: () => work,
  };
}

async function decidePending(inbox: Approvals, stored: readonly SessionEvent[]): Promise<void> {
  const isSaid = JSON.stringify(stored).includes(MESSAGE);
  for (const { id, input } of await inbox.list({ status: "pending" })) {
    if (input.text !== "more" || isSaid) await decide(inbox, id);
  }
}

/** What becomes of a call stands in its text. One that is like another is left to the rule that this one leaves. */
async function decide(inbox: Approvals, id: string): Promise<void> {
  const record = await inbox.get(id);
  if (record?.status !== "pending") return;
  const { text, step } = record.input;
  const by = { by: "another process" };
  if (text === "like too") return;
  if (text === "not this") await inbox.reject(id, { ...by, reason: "not this" });
  else if (text === "edit me") {
    await inbox.approve(id, { ...by, updatedInput: { step: step ?? null, text: "edited" } });
  } else await inbox.approve(id, text === "like" ? { ...by, remember: "session" } : by);
}
