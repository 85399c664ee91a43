import type { ApprovalStore } from "./approvals.ts";
import type { ArtifactStore } from "./artifacts.ts";
import type { EventStore } from "./events.ts";
import type { LeaseStore } from "./leases.ts";
import type { WakeStore } from "./wakes.ts";

/** All ports over one place: what an option takes where a user passes one store. */
export interface Store {
  readonly events: EventStore;
  readonly artifacts: ArtifactStore;
  readonly leases: LeaseStore;
  readonly approvals: ApprovalStore;
  readonly wakes: WakeStore;
  /** Closes them all. Idempotent. */
  close(): Promise<void>;
}

/** A bundle that is an event store as well, as our own ones are. `events` is the event store itself. */
export type FullStore = Store & EventStore;
