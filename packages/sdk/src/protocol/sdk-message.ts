import type { DecisionReason, MatchedRule } from "./decision.ts";
import type { EventData, PendingApproval, PermissionDenial, ResultSubtype } from "./events/index.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { PermissionMode, PermissionUpdate } from "./permission.ts";
import type { SDKCompactBoundary } from "./sdk-compact-boundary.ts";
import type { SDKTimer, SDKTimerCleared } from "./sdk-timer.ts";
import type { TaskStatus } from "./task-status.ts";

/** A content block in the shape that Anthropic's Messages API made known. */
export type SDKContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature?: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: JsonValue };

export type SDKImageBlock = {
  readonly type: "image";
  readonly source:
    | { readonly type: "base64"; readonly media_type: string; readonly data: string }
    | { readonly type: "url"; readonly url: string };
};

export interface SDKToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string | readonly ({ readonly type: "text"; readonly text: string } | SDKImageBlock)[];
  readonly is_error?: boolean;
}

export type SDKUserBlock =
  | { readonly type: "text"; readonly text: string }
  | SDKImageBlock
  | SDKToolResultBlock;

interface Common {
  readonly uuid: string;
  readonly session_id: string;
}

interface FromAgent extends Common {
  /** The call of the Agent tool that this comes from; null in the main loop. */
  readonly parent_tool_use_id: string | null;
  readonly agent_id?: string;
}

/** Token counts of one or more requests, in the field names of the Messages API. */
export interface SDKUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
}

/** What one model used; `cost_usd` is absent where a price is missing. */
export interface SDKModelUsage extends SDKUsage {
  readonly cost_usd?: number;
}

export interface SDKSystemInit extends Common {
  readonly type: "system";
  readonly subtype: "init";
  readonly cwd: string;
  readonly model: string;
  readonly tools: readonly string[];
  readonly mcp_servers: readonly { readonly name: string; readonly status: string }[];
  readonly permissionMode: PermissionMode;
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  readonly slash_commands: readonly string[];
}

/** A call was denied; the result that the model reads comes as a user message of its own. */
export interface SDKPermissionDenied extends Common {
  readonly type: "system";
  readonly subtype: "permission_denied";
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly message: string;
  readonly reason: DecisionReason;
}

/** A call waits in the inbox for somebody's word; its record is stored. Told again by a run that goes on with it. */
export interface SDKApprovalRequested extends Common {
  readonly type: "system";
  readonly subtype: "approval_requested";
  readonly approval_id: string;
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: JsonObject;
  /** One line for a person. */
  readonly title: string;
  /** Why it is a question. */
  readonly message: string;
  readonly reason: DecisionReason;
  readonly suggestions: readonly PermissionUpdate[];
  readonly approver: "human" | "auto";
  /** Epoch milliseconds. */
  readonly expires_at?: number;
  readonly agent_id?: string;
}

/** The session took in what was decided about such a call, or the question ended without a decision. */
export interface SDKApprovalResolved extends Common {
  readonly type: "system";
  readonly subtype: "approval_resolved";
  readonly approval_id: string;
  readonly tool_use_id: string;
  /** `expire`: nobody decided in time, or the question is moot. */
  readonly behavior: "approve" | "reject" | "expire";
  /** Who decided; absent for `expire`. */
  readonly by?: string;
  readonly note?: string;
  /** Of a rejection what the model reads; of `expire`: `expired`, `cancelled`, `changed` or `settled`. */
  readonly reason?: string;
}

/** Something that a person should know: a rule that does nothing, an option that is ignored, a block that was skipped. */
export interface SDKNotification extends Common {
  readonly type: "system";
  readonly subtype: "notification";
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

/** A hook begins; only with `includeHookEvents`. */
export interface SDKHookStarted extends Common {
  readonly type: "system";
  readonly subtype: "hook_started";
  readonly hook_id: string;
  /** Where it was given, such as `hooks.PreToolUse[0].hooks[1]`. */
  readonly hook_name: string;
  readonly hook_event: string;
  /** Absent where the event is about no tool call. */
  readonly tool_use_id?: string;
}

/** A hook has ended; only with `includeHookEvents`. It comes when all hooks of the event have. */
export interface SDKHookResponse extends Common {
  readonly type: "system";
  readonly subtype: "hook_response";
  /** That of its `hook_started`. */
  readonly hook_id: string;
  readonly hook_name: string;
  readonly hook_event: string;
  readonly tool_use_id?: string;
  /** `error`: it threw, answered too late, was stopped, or gave no well-formed answer. */
  readonly outcome: "success" | "error";
  /** What it came to. */
  readonly effect: EventData<"hook.ran">["outcome"];
  /** Its reason, or why it failed; empty with `suppressOutput`. */
  readonly output: string;
  readonly duration_ms: number;
}

/** The permission mode, or the model, is another one from here on; or the next request is held back. */
export interface SDKStatus extends Common {
  readonly type: "system";
  readonly subtype: "status";
  readonly permissionMode: PermissionMode;
  /** The model of the next request; only where that is what has changed. */
  readonly model?: string;
  /**
   * The next request waits for its turn, since the provider has refused requests (429) of this or other sessions with the
   * same address and key. It goes out by itself.
   */
  readonly held_back?: {
    readonly model: string;
    /** Milliseconds that it waits at least; 0 where only requests that run have to end. */
    readonly least_wait_ms: number;
  };
}

/**
 * What a session does, told whenever it changes: it works, it waits for the next message of a person, or it waits for an
 * answer of `canUseTool`. It begins as `running`, which is not told.
 */
export interface SDKSessionStateChanged extends Common {
  readonly type: "system";
  readonly subtype: "session_state_changed";
  readonly state: "running" | "idle" | "requires_action";
}

/** A command goes on in the background. */
export interface SDKTaskStarted extends Common {
  readonly type: "system";
  readonly subtype: "task_started";
  readonly task_id: string;
  readonly tool_use_id: string;
  readonly task_type: "shell";
  /** What the model says that it does, else the command. */
  readonly description: string;
}

/** A background command has ended, or is known no more. */
export interface SDKTaskNotification extends Common {
  readonly type: "system";
  readonly subtype: "task_notification";
  readonly task_id: string;
  readonly status: TaskStatus;
  readonly exit_code?: number;
  readonly signal?: string;
  /** One sentence for a person. */
  readonly summary: string;
}

/** A request failed and is sent again, or goes to another model. Nothing of the failed try counts. */
export interface SDKApiRetry extends Common {
  readonly type: "system";
  readonly subtype: "api_retry";
  readonly model: string;
  /** 1 for the first retry of a request. */
  readonly attempt: number;
  readonly max_retries: number;
  /** Milliseconds until it is sent again. */
  readonly retry_delay_ms: number;
  readonly error: string;
  /** Null where no HTTP answer came. */
  readonly error_status: number | null;
  /** The model that the request goes to from now on. */
  readonly fallback_model?: string;
}

/**
 * What the `stream_event` messages with the uuid `withdrawn_uuid` showed does not count: the try failed. Whoever printed
 * or kept it takes it back. It comes before the retry is told, only with `includePartialMessages`, and only for a try
 * that showed something. The finished `assistant` message never holds withdrawn text.
 */
export interface SDKMessageWithdrawn extends Common {
  readonly type: "system";
  readonly subtype: "message_withdrawn";
  readonly parent_tool_use_id: string | null;
  readonly withdrawn_uuid: string;
  /** The id that `message_start` told. */
  readonly message_id: string;
}

export interface SDKAssistantMessage extends FromAgent {
  readonly type: "assistant";
  readonly message: {
    readonly id: string;
    readonly type: "message";
    readonly role: "assistant";
    readonly model: string;
    readonly content: readonly SDKContentBlock[];
    readonly stop_reason: string | null;
    readonly usage: SDKUsage;
  };
}

/** What was decided about one call, beside its result. */
export interface SDKPermissionDecision {
  readonly behavior: "allow" | "deny";
  readonly message: string;
  readonly reason: DecisionReason;
  readonly rule?: MatchedRule;
  readonly asked?: boolean;
}

/** What a program sends: only `type` and `message` are required. */
export interface SDKUserMessage {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: string | readonly SDKUserBlock[] };
  readonly parent_tool_use_id?: string | null;
  readonly session_id?: string;
  readonly uuid?: string;
  readonly priority?: "now" | "next" | "later";
}

/** A user message as the iterator gives it: tool results, one a message, as they finish. */
export interface SDKUserMessageOut extends FromAgent {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: string | readonly SDKUserBlock[] };
  /** The tool's structured result, for the host. */
  readonly tool_use_result?: JsonValue;
  readonly permission_decision?: SDKPermissionDecision;
  /** A person's own message, given back with its `uuid`; only with `enableFileCheckpointing`. */
  readonly isReplay?: true;
}

/** A piece of a message that is still being written; only with `includePartialMessages`. */
export interface SDKStreamEvent extends FromAgent {
  readonly type: "stream_event";
  readonly event:
    | { readonly type: "message_start"; readonly message: { readonly id: string; readonly model: string } }
    | {
        readonly type: "content_block_start";
        readonly index: number;
        readonly content_block: SDKContentBlock;
      }
    | {
        readonly type: "content_block_delta";
        readonly index: number;
        readonly delta:
          | { readonly type: "text_delta"; readonly text: string }
          | { readonly type: "thinking_delta"; readonly thinking: string }
          | { readonly type: "input_json_delta"; readonly partial_json: string };
      }
    | { readonly type: "content_block_stop"; readonly index: number }
    | { readonly type: "message_stop" };
}

export interface SDKToolProgress extends FromAgent {
  readonly type: "tool_progress";
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly progress: string | JsonObject;
}

interface ResultCommon extends Common {
  readonly type: "result";
  readonly duration_ms: number;
  readonly num_turns: number;
  readonly usage: SDKUsage;
  readonly modelUsage: Readonly<Record<string, SDKModelUsage>>;
  readonly total_cost_usd: number;
  readonly cost_unknown?: true;
  readonly permission_denials: readonly PermissionDenial[];
  readonly stop_reason: string | null;
  readonly terminal_reason: string;
  /** Nobody had asked: the turn began for a timer, or for a background command that had ended. */
  readonly woken?: true;
}

/** The end of a turn that came to an answer. */
export interface SDKResultSuccess extends ResultCommon {
  readonly subtype: "success";
  readonly is_error: false;
  /** The final text. */
  readonly result: string;
  /** The answer as data; in a session with an output format. */
  readonly structured_output?: JsonObject;
  readonly errors?: never;
}

/** The end of a turn that came to none. */
export interface SDKResultError extends ResultCommon {
  readonly subtype: Exclude<ResultSubtype, "success" | "paused">;
  readonly is_error: true;
  /** What went wrong. */
  readonly errors: readonly string[];
  readonly result?: never;
  readonly structured_output?: never;
}

/**
 * The turn stands still: all that is left of it waits in the inbox. `query({prompt: "", options: {resume}})` goes on once
 * there are decisions, in another process too.
 */
export interface SDKResultPaused extends ResultCommon {
  readonly subtype: "paused";
  readonly is_error: false;
  /** What the turn waits for, in words. */
  readonly errors: readonly string[];
  readonly pending_approvals: readonly PendingApproval[];
  readonly result?: never;
  readonly structured_output?: never;
}

/** The end of one user turn; `subtype` tells an answer from a failure, and both from a pause. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError | SDKResultPaused;

/** Everything that the iterator gives. */
export type SDKMessage =
  | SDKSystemInit
  | SDKPermissionDenied
  | SDKNotification
  | SDKApprovalRequested
  | SDKApprovalResolved
  | SDKHookStarted
  | SDKHookResponse
  | SDKStatus
  | SDKSessionStateChanged
  | SDKTaskStarted
  | SDKTaskNotification
  | SDKTimer
  | SDKTimerCleared
  | SDKApiRetry
  | SDKCompactBoundary
  | SDKMessageWithdrawn
  | SDKAssistantMessage
  | SDKUserMessageOut
  | SDKStreamEvent
  | SDKToolProgress
  | SDKResultMessage;
