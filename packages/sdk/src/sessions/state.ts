import type {
  AssistantMessage,
  EventData,
  Message,
  MissedOutput,
  PermissionDenial,
  PermissionMode,
  ResultSubtype,
  RuleSource,
  SeenFile,
  SourcedRule,
  TodoItem,
  ToolCallPart,
  Usage,
  UserMessage,
} from "../protocol/index.ts";
import { NO_USAGE } from "../protocol/index.ts";

/** One tool call of a round, and how far it has come. */
export interface RoundCall {
  readonly part: ToolCallPart;
  decided?: EventData<"tool.decided">;
  /** The last start: a repeatable call may start again after a crash. */
  started?: EventData<"tool.started">;
  finished?: EventData<"tool.finished">;
}

/** The tool calls of one assistant message, in source order. */
export interface Round {
  readonly assistant: AssistantMessage;
  readonly calls: Map<string, RoundCall>;
  /** Calls that have no result yet. */
  open: number;
  /** User messages that came while results were missing; they go behind the tool message. */
  readonly waiting: UserMessage[];
  /** What was denied in it, by the call's id: providers may begin their ids anew in the next message. */
  readonly denied: Map<string, PermissionDenial>;
}

/** A call of the open round that waits, or waited, for somebody's word. The value is replaced, never changed. */
export interface ApprovalState {
  readonly requested: EventData<"approval.requested">;
  /** The decision that was taken in; the call has not begun since. */
  readonly resolved?: EventData<"approval.resolved">;
}

/** A background command, and its end. The value is replaced, never changed. */
export interface TaskState {
  readonly started: EventData<"task.started">;
  readonly finished?: EventData<"task.finished">;
}

/** A timer that stands. The value is replaced, never changed. */
export interface TimerState {
  readonly set: EventData<"timer.set">;
  /** When it is due next, in epoch milliseconds. */
  readonly at: number;
  /** A call of the open round has set it. */
  readonly ofRound: boolean;
  /** It was due, and what it had to say is not said yet. */
  readonly fired?: EventData<"timer.fired">;
}

/** What compactions have done to the history. The value is replaced, never changed. */
export interface CompactedState {
  /** The last one. */
  readonly data: EventData<"compacted">;
  readonly times: number;
  /** How many messages of the session are no longer in the history: the first so many that it ever had. */
  readonly taken: number;
}

/** Tokens and money over some stretch of a session. The values are replaced, never changed. */
export interface Spending {
  usage: Usage;
  /** By the model's name. */
  modelUsage: Readonly<Record<string, Usage>>;
  /** US dollars by the model's name; a model with an answer of unknown price is not in it. */
  modelCostUsd: Readonly<Record<string, number>>;
  /** US dollars, as far as prices were known. */
  costUsd: number;
  /** At least one answer came without a price. */
  costUnknown: boolean;
}

/**
 * A session as its events add up to. Only `apply()` changes it; its arrays and maps are live,
 * so a reader that wants to keep a moment copies what it needs. Tokens and money of the state itself
 * count from the last `result` on: they are what the next one reports.
 */
export interface SessionState extends Spending {
  /** Empty until `session.started`. */
  sessionId: string;
  /** The absolute start directory. */
  cwd: string;
  /** Where the shell stands now. */
  shellCwd: string;
  /** The release that wrote the last run. */
  release?: string;
  title?: string;
  /** What people filed the session under. */
  tags: readonly string[];
  /** The last configuration; model, mode and directories may have moved on since. */
  configured?: EventData<"session.configured">;
  /** The name of the model that the next request goes to. Absent until the first configuration. */
  model?: string;
  /** The history as a model gets it. A round's results join it together, when the last one is there. */
  messages: Message[];
  /** Absent before the first compaction; then `messages` begins with its summary. */
  compacted?: CompactedState;
  /** The round whose results are not all there. */
  round?: Round;
  /** The round before: what was decided about its calls. */
  closedRound?: Round;
  mode: PermissionMode;
  prePlanMode?: PermissionMode;
  /** Grants as `rules.changed` last told them, whole; a new configuration leaves them alone. */
  sessionRules: readonly SourcedRule[];
  /** Rules of the last configuration that the session has taken away since. */
  removedRules: readonly SourcedRule[];
  additionalDirectories: readonly (readonly [path: string, source: RuleSource])[];
  todos: readonly TodoItem[];
  /** By resolved path. */
  filesSeen: Map<string, SeenFile>;
  /** Background commands by their id, oldest first. */
  tasks: Map<string, TaskState>;
  /** Questions about calls of the open round, by the call's id, oldest first. A call that has begun or ended has none. */
  approvals: ReadonlyMap<string, ApprovalState>;
  /** Messages that wait behind a call and outlive the process, by their `uuid`, oldest first. */
  queue: ReadonlyMap<string, EventData<"message.queued">>;
  /** Timers by their id, oldest first. One that has fired for the last time is gone once that is said. */
  timers: ReadonlyMap<string, TimerState>;
  /** `id` of the last message of a person. */
  userMessageId?: string;
  /** Since the session's start: what budgets look at. */
  total: Spending;
  /** The turn began by itself, and no person has joined it. */
  woken?: boolean;
  /** Model requests since the last message of a person, or since a turn began by itself. */
  turn: number;
  /** Answers since then that were not the data that was asked for; absent: none. */
  missed?: MissedOutput;
  /** Denied calls since then. */
  denials: PermissionDenial[];
  /** `seq` of the last event; 0 before the first. */
  lastSeq: number;
  /** How many `result` events there were. */
  results: number;
  /** How the last user turn ended; absent before the first result. */
  outcome?: ResultSubtype;
}

/** That of nearly every session: one map for all of them. */
export const NO_APPROVALS: ReadonlyMap<string, ApprovalState> = new Map();

/** The same for messages that wait. */
export const NO_QUEUE: ReadonlyMap<string, EventData<"message.queued">> = new Map();

/** The same of timers. */
export const NO_TIMERS: ReadonlyMap<string, TimerState> = new Map();

/** The state before the first event. */
export function emptyState(): SessionState {
  return {
    sessionId: "",
    cwd: "",
    shellCwd: "",
    tags: [],
    messages: [],
    mode: "default",
    sessionRules: [],
    removedRules: [],
    additionalDirectories: [],
    todos: [],
    filesSeen: new Map(),
    tasks: new Map(),
    approvals: NO_APPROVALS,
    timers: NO_TIMERS,
    queue: NO_QUEUE,
    ...nothingSpent(),
    total: nothingSpent(),
    turn: 0,
    denials: [],
    lastSeq: 0,
    results: 0,
  };
}

/** One for all counts: the values are replaced, never changed. */
const NO_MODELS: Readonly<Record<string, never>> = Object.freeze({});

/** A fresh count. */
export function nothingSpent(): Spending {
  return { usage: NO_USAGE, modelUsage: NO_MODELS, modelCostUsd: NO_MODELS, costUsd: 0, costUnknown: false };
}
