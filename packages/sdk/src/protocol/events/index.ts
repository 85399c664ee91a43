import type { ApprovalExpired, ApprovalRequested, ApprovalResolved } from "./approval.ts";
import type { Compacted } from "./compacted.ts";
import type { FileCheckpointed } from "./file.ts";
import type { ModelCompleted, ModelRequested, ModelRetried, UserMessageEvent } from "./message.ts";
import type { MessageDropped, MessageQueued } from "./queue.ts";
import type { ResultEvent } from "./result.ts";
import type {
  CwdChanged,
  FileSeen,
  ModeChanged,
  ModelChanged,
  RulesChanged,
  SessionConfigured,
  SessionRenamed,
  SessionStarted,
  SessionTagged,
  TodosChanged,
} from "./session.ts";
import type { TaskFinished, TaskStarted } from "./task.ts";
import type { TimerCleared, TimerFired, TimerSet } from "./timer.ts";
import type { HookRan, ToolDecided, ToolFinished, ToolStarted } from "./tool.ts";

export type { ApprovalEnd, ApprovalExpired, ApprovalRequested, ApprovalResolved } from "./approval.ts";
export type { Compacted, CompactTrigger } from "./compacted.ts";
export type { Envelope } from "./envelope.ts";
export type { CheckpointedFile, FileCheckpointed, FileMark } from "./file.ts";
export type {
  MissedOutput,
  ModelCompleted,
  ModelRequested,
  ModelRetried,
  UserMessageEvent,
} from "./message.ts";
export type { MessageDropped, MessageQueued } from "./queue.ts";
export type { PendingApproval, PermissionDenial, ResultEvent, ResultSubtype } from "./result.ts";
export type {
  CwdChanged,
  FileSeen,
  ModeChanged,
  ModelChanged,
  RulesChanged,
  SessionConfigured,
  SessionRenamed,
  SessionStarted,
  SessionTagged,
  TodosChanged,
} from "./session.ts";
export type { TaskFinished, TaskStarted } from "./task.ts";
export type { TimerClear, TimerCleared, TimerFired, TimerKind, TimerSet } from "./timer.ts";
export type { HookRan, ToolDecided, ToolFinished, ToolOutcome, ToolStarted } from "./tool.ts";
export { OUTCOME_UNKNOWN } from "./tool.ts";

/** Everything that a log may hold. Stream deltas and progress are never logged. */
export type SessionEvent =
  | SessionStarted
  | SessionConfigured
  | SessionRenamed
  | SessionTagged
  | ModeChanged
  | ModelChanged
  | RulesChanged
  | TodosChanged
  | CwdChanged
  | FileSeen
  | FileCheckpointed
  | TaskStarted
  | TaskFinished
  | TimerSet
  | TimerFired
  | TimerCleared
  | UserMessageEvent
  | MessageQueued
  | MessageDropped
  | ModelRequested
  | ModelRetried
  | ModelCompleted
  | ToolDecided
  | ToolStarted
  | ToolFinished
  | ApprovalRequested
  | ApprovalResolved
  | ApprovalExpired
  | HookRan
  | Compacted
  | ResultEvent;

export type SessionEventType = SessionEvent["type"];

/** The data of one type of event. */
export type EventData<T extends SessionEventType> = Extract<SessionEvent, { type: T }>["data"];

/** The version that this release writes, and whether a reader must know the type. */
export const EVENT_TYPES: {
  readonly [T in SessionEventType]: { readonly v: number; readonly critical: boolean };
} = {
  "session.started": { v: 1, critical: true },
  "session.configured": { v: 1, critical: true },
  "session.renamed": { v: 1, critical: false },
  "session.tagged": { v: 1, critical: false },
  "mode.changed": { v: 1, critical: true },
  "model.changed": { v: 1, critical: true },
  "rules.changed": { v: 1, critical: true },
  "todos.changed": { v: 1, critical: false },
  "cwd.changed": { v: 1, critical: true },
  "file.seen": { v: 1, critical: false },
  "file.checkpointed": { v: 1, critical: false },
  "task.started": { v: 1, critical: false },
  "task.finished": { v: 1, critical: false },
  "timer.set": { v: 1, critical: true },
  "timer.fired": { v: 1, critical: true },
  "timer.cleared": { v: 1, critical: true },
  "user.message": { v: 1, critical: true },
  "message.queued": { v: 1, critical: true },
  "message.dropped": { v: 1, critical: true },
  "model.requested": { v: 1, critical: false },
  "model.retried": { v: 1, critical: false },
  "model.completed": { v: 1, critical: true },
  "tool.decided": { v: 1, critical: true },
  "tool.started": { v: 1, critical: true },
  "tool.finished": { v: 1, critical: true },
  "approval.requested": { v: 1, critical: true },
  "approval.resolved": { v: 1, critical: true },
  "approval.expired": { v: 1, critical: true },
  "hook.ran": { v: 1, critical: false },
  compacted: { v: 1, critical: true },
  result: { v: 1, critical: true },
};
