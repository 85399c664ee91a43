import type { AppendBatch, EventStore, SessionEvent, TodosChanged } from "../../protocol/index.ts";

/** The body of a case of the contract. `reopen` gives another store over the same data, where there is one. */
export type EventCase = (store: EventStore, reopen: () => Promise<EventStore>) => Promise<void>;

/** A small event that may stand anywhere in a log. */
export function todos(seq: number, ts: number, content: string): TodosChanged {
  return {
    v: 1,
    seq,
    id: `event-${seq}`,
    ts,
    type: "todos.changed",
    data: { todos: [{ content, status: "pending", activeForm: content }] },
  };
}

export function ok(seq: number): { ok: true; seq: number } {
  return { ok: true, seq };
}

/** `size` events behind `after`. */
export function batch(
  sessionId: string,
  after: number,
  size: number,
  batchId?: string,
  project = "/p",
): AppendBatch {
  const id = batchId ?? `${sessionId}-${after}-${size}`;
  return { sessionId, project, expectedSeq: after, batchId: id, events: events(after, size) };
}

export function events(after: number, size: number): SessionEvent[] {
  return count(size).map((i) => todos(after + i + 1, ts(after + i + 1), `item ${after + i + 1}`));
}

export function ts(seq: number): number {
  return 1_700_000_000_000 + seq * 1000;
}

export function count(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i);
}
