import { artifactContract } from "./artifacts/index.ts";
import { eventStoreContract } from "./sessions/index.ts";

export type { ContractCase as ArtifactContractCase } from "./artifacts/index.ts";
export type {
  AppendBatch,
  AppendResult,
  ArtifactStore,
  EventStore,
  SessionEvent,
  SessionFilter,
  SessionSummary,
} from "./protocol/index.ts";
export type {
  ContractCase as EventContractCase,
  JsonlStoreOptions,
  StoreUnderTest,
} from "./sessions/index.ts";
export { jsonlStore, memoryStore } from "./sessions/index.ts";

/** The contract suites of the store ports: what a store of your own must pass, under any test runner. */
export const storeContract: {
  readonly events: typeof eventStoreContract;
  readonly artifacts: typeof artifactContract;
} = { events: eventStoreContract, artifacts: artifactContract };
