import type { DecisionReason } from "./decision.ts";
import type { EventData } from "./events/index.ts";
import type { JsonObject } from "./json.ts";
import type { PermissionMode, PermissionUpdate } from "./permission.ts";
import type { SDKCommon } from "./sdk-common.ts";
import type { TaskStatus } from "./task-status.ts";

export interface SDKSystemInit extends SDKCommon {
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
export interface SDKPermissionDenied extends SDKCommon {
  readonly type: "system";
  readonly subtype: "permission_denied";
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly message: string;
  readonly reason: DecisionReason;
}

/** A call waits in the inbox for somebody's word; its record is stored. Told again by a run that goes on with it. */
export interface SDKApprovalRequested extends SDKCommon {
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
export interface SDKApprovalResolved extends SDKCommon {
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
export interface SDKNotification extends SDKCommon {
  readonly type: "system";
  readonly subtype: "notification";
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

/** A hook begins; only with `includeHookEvents`. */
export interface SDKHookStarted extends SDKCommon {
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
export interface SDKHookResponse extends SDKCommon {
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
export interface SDKStatus extends SDKCommon {
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
export interface SDKSessionStateChanged extends SDKCommon {
  readonly type: "system";
  readonly subtype: "session_state_changed";
  readonly state: "running" | "idle" | "requires_action";
}

/** A command goes on in the background. */
export interface SDKTaskStarted extends SDKCommon {
  readonly type: "system";
  readonly subtype: "task_started";
  readonly task_id: string;
  readonly tool_use_id: string;
  readonly task_type: "shell";
  /** What the model says that it does, else the command. */
  readonly description: string;
}

/** A background command has ended, or is known no more. */
export interface SDKTaskNotification extends SDKCommon {
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
export interface SDKApiRetry extends SDKCommon {
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
export interface SDKMessageWithdrawn extends SDKCommon {
  readonly type: "system";
  readonly subtype: "message_withdrawn";
  readonly parent_tool_use_id: string | null;
  readonly withdrawn_uuid: string;
  /** The id that `message_start` told. */
  readonly message_id: string;
}
