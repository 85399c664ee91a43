import type { Platform, Semaphore } from "../platform/index.ts";
import type { ArtifactStore, EventStore } from "../protocol/index.ts";
import type { Redact } from "../sessions/index.ts";
import type { Settings } from "../settings/index.ts";
import type { HostModels } from "./host-models.ts";
import type { Cleaner } from "./sessions/cleaner.ts";
import type { StorePorts } from "./store-parts.ts";
import type { WorkerLease } from "./worker-lease.ts";

/** What the sessions of one host share. */
export interface Shared {
  readonly platform: Platform;
  readonly store: EventStore;
  readonly artifacts: ArtifactStore;
  /** All those artifacts belong to sessions of that store. */
  readonly isPair: boolean;
  /** What else that store keeps. */
  readonly ports: StorePorts;
  /** Files and folders of that store and of the home: tools must not change them unasked. */
  readonly kept: readonly string[];
  /** Deletes old sessions where settings say so. Absent: the sessions are in a store that a program gave. */
  readonly cleaner: Cleaner | undefined;
  readonly models: HostModels;
  /** Policy for all sessions, beside the machine's. */
  readonly policy: Settings | undefined;
  /** Runs over each event before it is recorded. */
  readonly redact: Redact | undefined;
  /** Neighbouring safe calls of one session that run at once. */
  readonly toolConcurrency: number;
  /** Processes of all sessions that run at once, but for those in the background. */
  readonly processes: Semaphore;
  /** Answers of models that stream at once. */
  readonly streams: Semaphore;
  /** What must not be undone outlasts a power cut. */
  readonly syncWrites: boolean;
  /** Who writes, where several machines share the store. */
  readonly lease: WorkerLease | undefined;
}
