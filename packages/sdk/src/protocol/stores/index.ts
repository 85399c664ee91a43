export type { ArtifactStore } from "./artifacts.ts";
export type { AppendBatch, AppendResult, EventStore, SessionFilter, SessionSummary } from "./events.ts";
