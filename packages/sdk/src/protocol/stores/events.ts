import type { SessionEvent } from "../events/index.ts";
import type { Snapshot } from "./snapshot.ts";

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
  /**
   * The append resolves only when the events would survive a power cut as well. A store flushes once for all batches
   * that wait for it.
   */
  readonly sync?: boolean;
  /**
   * The lease under which the worker writes. A store that keeps leases stores nothing under one that is lost. The session
   * belongs to the lease until `release`, or until it is lost; under another one it is `session_busy` till then.
   */
  readonly epoch?: number;
}

export type AppendResult =
  | { readonly ok: true; readonly seq: number }
  | { readonly ok: false; readonly code: "conflict"; readonly actualSeq: number }
  /** The lease that `epoch` names ran out or was released; another worker may have the session. Nothing was stored. */
  | { readonly ok: false; readonly code: "lease_lost" };

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
  /** Told of each session that was left out because it cannot be read: why, and which one. */
  skipped?(problem: string, sessionId?: string): void;
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
  /** True when there was something to delete. The snapshot goes too. */
  delete(sessionId: string): Promise<boolean>;
  /** The last snapshot that was written; undefined: there is none that can be read. */
  readSnapshot?(sessionId: string): Promise<Snapshot | undefined>;
  /** Keeps it in place of the one before. Does nothing for a session that holds no events. */
  writeSnapshot?(sessionId: string, snapshot: Snapshot): Promise<void>;
  /** Lets go of what is held for the writer of one session (a claim, an open file), so that another may go on with it. */
  release?(sessionId: string): Promise<void>;
  /** Whether somebody holds the session for writing, here or elsewhere, and lives. Absent: the store cannot tell. */
  isBusy?(sessionId: string): Promise<boolean>;
  /** Where a person finds the log of a session, whether it is written yet or not; absent where logs are no files. */
  locate?(sessionId: string, project: string): string;
  /** The files and folders that it keeps things in, absolute: a tool that would change them is asked about in every mode. */
  readonly files?: readonly string[];
  close(): Promise<void>;
}
