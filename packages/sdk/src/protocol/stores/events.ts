import type { SessionEvent } from "../events/index.ts";

export interface AppendBatch {
  readonly sessionId: string;
  /** A label that groups sessions in listings: the start directory they belong to. */
  readonly project: string;
  /** `seq` of the last event that the writer knows to be stored; 0 for a new session. */
  readonly expectedSeq: number;
  /** Makes the append idempotent: the same id again answers as the first time and stores nothing twice. */
  readonly batchId: string;
  /** In order; `seq` runs on from `expectedSeq` without a gap. */
  readonly events: readonly SessionEvent[];
  /** The id was made for this very session, so nothing is stored under it yet. A store may save itself the search. */
  readonly fresh?: boolean;
}

export type AppendResult =
  | { readonly ok: true; readonly seq: number }
  | { readonly ok: false; readonly code: "conflict"; readonly actualSeq: number };

export interface SessionSummary {
  readonly sessionId: string;
  readonly project: string;
  /** Epoch milliseconds of the first and the last event. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly events: number;
}

/** Which sessions a store lists. */
export interface SessionFilter {
  readonly project?: string;
  readonly limit?: number;
  /** Told of each session that was left out because it cannot be read: which one, and why. */
  skipped?(problem: string): void;
}

/**
 * The port of every event log. An append that resolved is written (kill -9 of this process cannot
 * undo it); one that rejected may or may not be, and is repeated with the same `batchId`.
 */
export interface EventStore {
  append(batches: readonly AppendBatch[]): Promise<readonly AppendResult[]>;
  /** Every event with `seq` greater than `afterSeq`, in order. Unknown session: an empty list. */
  read(sessionId: string, afterSeq?: number): Promise<readonly SessionEvent[]>;
  /** Newest first by `updatedAt`. Sessions that cannot be read are left out. */
  list(filter?: SessionFilter): Promise<readonly SessionSummary[]>;
  /** True when there was something to delete. */
  delete(sessionId: string): Promise<boolean>;
  /** Lets go of what is held for the writer of one session (a claim, an open file), so that another may go on with it. */
  release?(sessionId: string): Promise<void>;
  /** Where a person finds the log of a session, whether it is written yet or not; absent where logs are no files. */
  locate?(sessionId: string, project: string): string;
  close(): Promise<void>;
}
