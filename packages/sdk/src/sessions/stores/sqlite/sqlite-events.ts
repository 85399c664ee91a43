import type { Platform } from "../../../platform/index.ts";
import type {
  AppendBatch,
  AppendResult,
  EventStore,
  SessionEvent,
  SessionSummary,
  Snapshot,
} from "../../../protocol/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { checkOrder } from "../check-batch.ts";
import { checkId } from "../check-ports.ts";
import { groupBySession } from "../group-by-session.ts";
import { processMark } from "../process-mark.ts";
import { closedStore } from "../store-errors.ts";
import { createTurns } from "../turns.ts";
import { appendAnswer, appendJob, type Writing } from "./append-job.ts";
import { claimSession, isClaimed } from "./session-claim.ts";
import { type SqlThread, TEXT_JOINT } from "./thread.ts";

/** @param file for messages. */
export function sqliteEvents(platform: Platform, thread: SqlThread, file: string): EventStore {
  const store = platform.ids.short("store");
  const { pid } = platform;
  const turns = createTurns();
  let mark: Promise<string | undefined> | undefined;
  let closed = false;

  function open(): void {
    if (closed) throw closedStore();
  }

  async function start(): Promise<string> {
    mark ??= processMark(platform, pid);
    return (await mark) ?? "";
  }

  async function appendTo(sessionId: string, batches: readonly AppendBatch[]): Promise<AppendResult[]> {
    for (const batch of batches) if (batch.events.length > 0) checkId(batch.sessionId, "session");
    const writing: Writing = { store, pid, start: await start(), now: platform.clock.now() };
    const jobs = batches.map((batch) => {
      // One with a gap is refused before it reaches the database.
      checkOrder(batch);
      return appendJob(batch, writing);
    });
    const results = await thread.write(
      jobs,
      batches.some(({ sync }) => sync),
    );
    const answers: AppendResult[] = [];
    for (const [at, batch] of batches.entries()) {
      const result = results[at];
      const answer = result === undefined ? "claim" : appendAnswer(batch, result);
      if (answer !== "claim") {
        answers.push(answer);
        continue;
      }
      const claimant = { store, pid, start: writing.start, lease: batch.epoch ?? 0 };
      await claimSession(platform, thread, file, sessionId, claimant);
      return [...answers, ...(await appendTo(sessionId, batches.slice(at)))];
    }
    return answers;
  }

  async function remove(sessionId: string): Promise<boolean> {
    const [there] = await thread.read("SELECT 1 AS n FROM sessions WHERE id = ?", sessionId);
    if (there === undefined) return false;
    await claimSession(platform, thread, file, sessionId, { store, pid, start: await start(), lease: 0 });
    const params = [[sessionId]];
    await thread.run(
      { sql: "DELETE FROM events WHERE session = ?", params },
      { sql: "DELETE FROM snapshots WHERE session = ?", params },
      { sql: "DELETE FROM sessions WHERE id = ?", params },
      { sql: "DELETE FROM owners WHERE session = ?", params },
    );
    return true;
  }

  return {
    async append(batches) {
      open();
      const answers: AppendResult[] = new Array(batches.length);
      const jobs = Array.from(groupBySession(batches), async ([sessionId, indexes]) => {
        const own = indexes.map((at) => batches[at] as AppendBatch);
        const results = await turns.take(sessionId, () => appendTo(sessionId, own));
        for (const [i, at] of indexes.entries()) answers[at] = results[i] as AppendResult;
      });
      await Promise.all(jobs);
      return answers;
    },
    async read(sessionId, afterSeq = 0) {
      open();
      const events: SessionEvent[] = [];
      await thread.texts(sessionId, afterSeq, (text) => {
        for (const event of decode(file, sessionId, afterSeq + events.length, text)) events.push(event);
      });
      return events;
    },
    async list(filter = {}) {
      open();
      const rows = await thread.read(
        `SELECT id, project, created, updated, seq FROM sessions WHERE ${filter.project === undefined ? "? = ?" : "project = ? AND 1 = ?"}
          ORDER BY updated DESC LIMIT ?`,
        filter.project === undefined ? 1 : JSON.stringify(filter.project),
        1,
        filter.limit ?? -1,
      );
      return rows.map((row) => summary(row as never));
    },
    async delete(sessionId) {
      open();
      return turns.take(sessionId, () => remove(sessionId));
    },
    async readSnapshot(sessionId) {
      open();
      const [row] = await thread.read("SELECT session, data FROM snapshots WHERE session = ?", sessionId);
      return row === undefined ? undefined : (JSON.parse(String(row.data)) as Snapshot);
    },
    async writeSnapshot(sessionId, { v, seq, hash, state }) {
      open();
      await thread.run({
        sql: `INSERT INTO snapshots (session, data) SELECT ?, ? WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?)
          ON CONFLICT (session) DO UPDATE SET data = excluded.data`,
        params: [[sessionId, JSON.stringify({ v, seq, hash, state }), sessionId]],
      });
    },
    async release(sessionId) {
      open();
      const sql = "DELETE FROM owners WHERE session = ? AND store = ?";
      await turns.take(sessionId, async () => {
        await thread.run({ sql, params: [[sessionId, store]] });
      });
    },
    async isBusy(sessionId) {
      open();
      return isClaimed(platform, thread, sessionId);
    },
    async close() {
      if (closed) return;
      closed = true;
      await turns.idle();
      if (mark === undefined) return;
      await thread.run({ sql: "DELETE FROM owners WHERE store = ? AND pid = ?", params: [[store, pid]] });
    },
  };
}

/** @param after the number in front of the first event in the text */
function decode(file: string, sessionId: string, after: number, text: string): SessionEvent[] {
  try {
    return JSON.parse(`[${text}]`) as SessionEvent[];
  } catch (cause) {
    const bad = text.split(TEXT_JOINT).findIndex((each) => !isJson(each));
    const where = `${file}, session ${sessionId}, event ${after + bad + 1}`;
    throw new CastellanError("log_corrupt", `${where}: it is not JSON.`, {
      cause,
      subject: file,
      fix: "Restore the database from a copy.",
    });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function summary(row: {
  readonly id: string;
  readonly project: string;
  readonly created: number;
  readonly updated: number;
  readonly seq: number;
}): SessionSummary {
  return {
    sessionId: row.id,
    project: JSON.parse(row.project) as string,
    createdAt: row.created,
    updatedAt: row.updated,
    events: row.seq,
  };
}
