export type { ArtifactStore } from "./artifacts.ts";
export type { AppendBatch, AppendResult, EventStore, SessionSummary } from "./events.ts";
