import type { Clock } from "../../../platform/index.ts";
import { nodePlatform } from "../../../platform/index.ts";
import type {
  AppendBatch,
  AppendResult,
  EventStore,
  SessionEvent,
  SessionSummary,
  Snapshot,
} from "../../../protocol/index.ts";
import { checkBatch } from "../check-batch.ts";
import { type SessionStore, sessionStore } from "../session-store.ts";
import { closedStore, heldByLease } from "../store-errors.ts";
import { memoryApprovals } from "./memory-approvals.ts";
import { type MemoryLeases, memoryLeases } from "./memory-leases.ts";
import { memoryWakes } from "./memory-wakes.ts";

interface Stored {
  readonly project: string;
  readonly events: SessionEvent[];
  batchId: string | undefined;
  snapshot?: Snapshot;
  /** The lease that it belongs to. */
  epoch?: number;
}

/** What a store in memory is made of. */
export interface MemoryStoreOptions {
  /** Tells when leases run out. Default: the clock of this machine. */
  readonly clock?: Pick<Clock, "now">;
}

/** A store that lives as long as this object. For tests, and for sessions that nobody resumes. */
export function memoryStore(options: MemoryStoreOptions = {}): SessionStore {
  const leases = memoryLeases(options.clock ?? nodePlatform().clock);
  return sessionStore(memoryEvents(leases), { leases, approvals: memoryApprovals(), wakes: memoryWakes() });
}

function memoryEvents(leases: MemoryLeases): EventStore {
  const sessions = new Map<string, Stored>();
  let closed = false;

  function open(): void {
    if (closed) throw closedStore();
  }

  function appendOne(batch: AppendBatch): AppendResult {
    const stored = sessions.get(batch.sessionId);
    const tail = { seq: stored?.events.length ?? 0, batchId: stored?.batchId };
    const holds = (epoch: number): boolean => mayWrite(batch.sessionId, epoch, stored?.epoch);
    const answer = checkBatch(batch, tail, holds);
    if (answer !== undefined) return answer;
    const target = stored ?? { project: batch.project, events: [], batchId: undefined };
    for (const event of batch.events) target.events.push(event);
    target.batchId = batch.batchId;
    if (batch.epoch !== undefined) target.epoch = batch.epoch;
    sessions.set(batch.sessionId, target);
    return { ok: true, seq: target.events.length };
  }

  function mayWrite(sessionId: string, epoch: number, holder = epoch): boolean {
    if (!leases.isLive(epoch)) return false;
    if (holder !== epoch && leases.isLive(holder)) throw heldByLease(sessionId, holder);
    return true;
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
    async readSnapshot(sessionId) {
      open();
      return sessions.get(sessionId)?.snapshot;
    },
    async writeSnapshot(sessionId, snapshot) {
      open();
      const stored = sessions.get(sessionId);
      if (stored !== undefined) stored.snapshot = { ...snapshot };
    },
    async release(sessionId) {
      const stored = sessions.get(sessionId);
      if (stored !== undefined) delete stored.epoch;
    },
    async close() {
      closed = true;
    },
  };
}
