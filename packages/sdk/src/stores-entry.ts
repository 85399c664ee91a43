import { artifactContract, fileArtifacts, memoryArtifacts } from "./artifacts/index.ts";
import { nodePlatform } from "./platform/index.ts";
import type { ArtifactStore, FullStore } from "./protocol/index.ts";
import type { JsonlStoreOptions, MemoryStoreOptions, SessionStore } from "./sessions/index.ts";
import {
  approvalStoreContract,
  eventStoreContract,
  leaseStoreContract,
  jsonlStore as sessionFiles,
  memoryStore as sessionsInMemory,
  storeHome,
  wakeStoreContract,
} from "./sessions/index.ts";

export type { ContractCase as ArtifactContractCase } from "./artifacts/index.ts";
export type {
  AppendBatch,
  AppendResult,
  ApprovalDecision,
  ApprovalFilter,
  ApprovalRecord,
  ApprovalStatus,
  ApprovalStore,
  ArtifactStore,
  DecideApprovalResult,
  EventStore,
  FullStore,
  Lease,
  LeaseStore,
  SessionEvent,
  SessionFilter,
  SessionSummary,
  Snapshot,
  Store,
  Wake,
  WakeStore,
} from "./protocol/index.ts";
export type {
  ContractCase as EventContractCase,
  JsonlStoreOptions,
  LeasesUnderTest,
  MemoryStoreOptions,
  PortUnderTest,
  StoreUnderTest,
} from "./sessions/index.ts";

/**
 * All ports in memory, as long as this object lives. For tests, and for sessions that nobody resumes.
 *
 * @example
 * const host = createHost({ store: memoryStore() });
 */
export function memoryStore(options: MemoryStoreOptions = {}): FullStore {
  const { clock } = options;
  const now = clock === undefined ? undefined : () => clock.now();
  return withArtifacts(sessionsInMemory(options), memoryArtifacts(now));
}

/**
 * All ports as files below one folder: what a host uses where it is given no store. Logs are
 * `sessions/<project>/<id>/log.jsonl`, one event a line; approvals, leases and wakes are JSON files, artifacts are files
 * named by their hash. Files have mode 0600, folders 0700.
 *
 * The first append claims a session for this store until `release()` or `close()`: another one, here or in another
 * process, gets `session_busy`. The claim of a process that is gone is taken over. Reading never claims.
 *
 * Calls reject with a CastellanError: `store_failed`, `session_busy`, `log_corrupt`; each names the path.
 *
 * @example
 * const host = createHost({ store: jsonlStore({ home: "/srv/agent" }) });
 */
export function jsonlStore(options: JsonlStoreOptions = {}): FullStore {
  const platform = options.platform ?? nodePlatform();
  const home = storeHome(platform, options.home);
  return withArtifacts(
    sessionFiles({ ...options, platform, home }),
    fileArtifacts(platform, `${home}/artifacts`),
  );
}

/** The contract suites of the store ports: what a store of your own must pass, under any test runner. */
export const storeContract: {
  readonly events: typeof eventStoreContract;
  readonly leases: typeof leaseStoreContract;
  readonly approvals: typeof approvalStoreContract;
  readonly wakes: typeof wakeStoreContract;
  readonly artifacts: typeof artifactContract;
} = {
  events: eventStoreContract,
  leases: leaseStoreContract,
  approvals: approvalStoreContract,
  wakes: wakeStoreContract,
  artifacts: artifactContract,
};

function withArtifacts(sessions: SessionStore, artifacts: ArtifactStore): FullStore {
  const store = { ...sessions, artifacts };
  return Object.assign(store, { events: store });
}
