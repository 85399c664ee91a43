export type {
  ApprovalDecision,
  ApprovalFilter,
  ApprovalRecord,
  ApprovalStatus,
  ApprovalStore,
  DecideApprovalResult,
} from "./approvals.ts";
export type { ArtifactStore } from "./artifacts.ts";
export type { AppendBatch, AppendResult, EventStore, SessionFilter, SessionSummary } from "./events.ts";
export type { Lease, LeaseStore } from "./leases.ts";
export type { Snapshot } from "./snapshot.ts";
export type { FullStore, Store } from "./store.ts";
export type { Wake, WakeStore } from "./wakes.ts";
