import type { AppendBatch, AppendResult } from "../../../protocol/index.ts";
import { checkBatch } from "../check-batch.ts";
import { encodeEvent } from "../encode-event.ts";
import type { SqlJob, SqlJobResult, SqlStep, SqlValue } from "./thread.ts";

/** Who writes. */
export interface Writing {
  readonly store: string;
  readonly pid: number;
  /** What `processMark` says of this process. */
  readonly start: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * A batch as one job: the claim of a session that nobody has, the move of its end, and its events. The move says no
 * where anything does not fit, and what there is instead is read.
 */
export function appendJob(batch: AppendBatch, { store, pid, start, now }: Writing): SqlJob {
  const { sessionId, events, expectedSeq, epoch = 0 } = batch;
  const batchId = JSON.stringify(batch.batchId);
  const last = events.at(-1);
  const live = "EXISTS (SELECT 1 FROM leases WHERE epoch = ? AND expires > ?)";
  const lease: { sql: string; params: SqlValue[] } =
    epoch === 0 ? { sql: "", params: [] } : { sql: ` AND ${live}`, params: [epoch, now] };
  const owns = {
    sql: ` AND EXISTS (SELECT 1 FROM owners WHERE session = ? AND store = ?${epoch === 0 ? "" : " AND lease = ?"})`,
    params: epoch === 0 ? [sessionId, store] : [sessionId, store, epoch],
  };
  const steps: SqlStep[] = [];
  if (last !== undefined) {
    const seq = expectedSeq + events.length;
    const created = events[0]?.ts ?? last.ts;
    const guard = [...owns.params, ...lease.params];
    steps.push(
      {
        sql: `INSERT INTO owners (session, store, pid, start, lease) SELECT ?, ?, ?, ?, ? WHERE 1${lease.sql} ON CONFLICT (session) DO NOTHING`,
        params: [[sessionId, store, pid, start, epoch, ...lease.params]],
      },
      expectedSeq === 0
        ? {
            sql: `INSERT INTO sessions (id, project, seq, batch, created, updated) SELECT ?, ?, ?, ?, ?, ? WHERE 1${owns.sql}${lease.sql} ON CONFLICT (id) DO NOTHING`,
            params: [[sessionId, JSON.stringify(batch.project), seq, batchId, created, last.ts, ...guard]],
            must: true,
          }
        : {
            sql: `UPDATE sessions SET seq = ?, batch = ?, updated = ? WHERE id = ? AND seq = ? AND batch <> ?${owns.sql}${lease.sql}`,
            params: [[seq, batchId, last.ts, sessionId, expectedSeq, batchId, ...guard]],
            must: true,
          },
      {
        sql: "INSERT INTO events (session, seq, data) VALUES (?, ?, ?)",
        params: events.map((event) => [sessionId, event.seq, encodeEvent(event)]),
      },
    );
  } else steps.push({ sql: "DELETE FROM owners WHERE session = ? AND 0", params: [[sessionId]], must: true });
  return {
    steps,
    otherwise: {
      sql: `SELECT coalesce((SELECT seq FROM sessions WHERE id = ?), 0) AS seq,
        coalesce((SELECT batch FROM sessions WHERE id = ?), '') AS batch, ${epoch === 0 ? "? < ?" : live} AS live`,
      params: [sessionId, sessionId, epoch, now],
    },
  };
}

/** The answer to a batch; `claim`: somebody else has the session, or had it. */
export function appendAnswer(batch: AppendBatch, result: SqlJobResult): AppendResult | "claim" {
  if (result.done) return { ok: true, seq: batch.expectedSeq + batch.events.length };
  const { seq, batch: text, live } = result.row as { seq: number; batch: string; live: number };
  const batchId = text === "" ? undefined : (JSON.parse(text) as string);
  return checkBatch(batch, { seq, batchId }, () => Number(live) === 1) ?? "claim";
}
