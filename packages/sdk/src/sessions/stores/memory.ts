import type {
  AppendBatch,
  AppendResult,
  EventStore,
  SessionEvent,
  SessionSummary,
} from "../../protocol/index.ts";
import { checkBatch } from "./check-batch.ts";
import { closedStore } from "./store-errors.ts";

interface Stored {
  readonly project: string;
  readonly events: SessionEvent[];
  batchId: string | undefined;
}

/** A store that lives as long as this object. For tests, and for sessions that nobody resumes. */
export function memoryStore(): EventStore {
  const sessions = new Map<string, Stored>();
  let closed = false;

  function open(): void {
    if (closed) throw closedStore();
  }

  function appendOne(batch: AppendBatch): AppendResult {
    const stored = sessions.get(batch.sessionId);
    const tail = { seq: stored?.events.length ?? 0, batchId: stored?.batchId };
    const answer = checkBatch(batch, tail);
    if (answer !== undefined) return answer;
    const target = stored ?? { project: batch.project, events: [], batchId: undefined };
    for (const event of batch.events) target.events.push(event);
    target.batchId = batch.batchId;
    sessions.set(batch.sessionId, target);
    return { ok: true, seq: target.events.length };
  }

  return {
    async append(batches) {
      open();
      return batches.map(appendOne);
    },
    async read(sessionId, afterSeq = 0) {
      open();
      return sessions.get(sessionId)?.events.slice(afterSeq) ?? [];
    },
    async list(filter = {}) {
      open();
      const found: SessionSummary[] = [];
      for (const [sessionId, { project, events }] of sessions) {
        const [first] = events;
        const last = events.at(-1);
        if (first === undefined || last === undefined) continue;
        if (filter.project !== undefined && filter.project !== project) continue;
        found.push({ sessionId, project, createdAt: first.ts, updatedAt: last.ts, events: events.length });
      }
      return found.sort((a, b) => b.updatedAt - a.updatedAt).slice(0, filter.limit);
    },
    async delete(sessionId) {
      open();
      return sessions.delete(sessionId);
    },
    async close() {
      closed = true;
    },
  };
}
