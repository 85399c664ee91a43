import type { Platform } from "../platform/index.ts";
import type { ArtifactStore, EventStore } from "../protocol/index.ts";
import type { Settings } from "../settings/index.ts";
import type { HostModels } from "./host-models.ts";

/** What the sessions of one host share. */
export interface Shared {
  readonly platform: Platform;
  readonly store: EventStore;
  readonly artifacts: ArtifactStore;
  readonly models: HostModels;
  /** Policy for all sessions, beside the machine's. */
  readonly policy: Settings | undefined;
  /** Neighbouring safe calls of one session that run at once. */
  readonly toolConcurrency: number;
}
