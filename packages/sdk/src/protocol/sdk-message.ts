import type { DecisionReason, MatchedRule } from "./decision.ts";
import type { PendingApproval, PermissionDenial, ResultSubtype } from "./events/index.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { SDKCommon } from "./sdk-common.ts";
import type { SDKCompactBoundary } from "./sdk-compact-boundary.ts";
import type {
  SDKApiRetry,
  SDKApprovalRequested,
  SDKApprovalResolved,
  SDKHookResponse,
  SDKHookStarted,
  SDKMessageWithdrawn,
  SDKNotification,
  SDKPermissionDenied,
  SDKSessionStateChanged,
  SDKStatus,
  SDKSystemInit,
  SDKTaskNotification,
  SDKTaskStarted,
} from "./sdk-system-message.ts";
import type { SDKTimer, SDKTimerCleared } from "./sdk-timer.ts";

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

interface FromAgent extends SDKCommon {
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

interface ResultCommon extends SDKCommon {
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
