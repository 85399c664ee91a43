import type { JsonObject, JsonValue } from "./json.ts";
import type { PermissionMode, PermissionUpdate } from "./permission.ts";

/** The hook events that this release fires. */
export const HOOK_EVENTS = [
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "Notification",
  "PreCompact",
  "PostCompact",
] as const;

/** Events that people know and that this release does not fire: naming one is an error that says so. */
export const LATER_HOOK_EVENTS: readonly string[] = [
  "PostToolBatch",
  "PermissionDenied",
  "SessionStart",
  "SessionEnd",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "WorktreeCreate",
  "WorktreeRemove",
  "TaskCreated",
  "TaskCompleted",
  "Setup",
];

/** The name of an event that hooks can be given for. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What every hook is told. */
export interface BaseHookInput {
  readonly session_id: string;
  /** The file of the session's log; empty where the log is in memory. */
  readonly transcript_path: string;
  /** Where the shell stands. */
  readonly cwd: string;
  readonly permission_mode: PermissionMode;
  /** Absent in the main loop. */
  readonly agent_id?: string;
  readonly agent_type?: string;
}

/** What every hook around a tool call is told. */
export interface ToolHookInput extends BaseHookInput {
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  readonly tool_use_id: string;
}

/** Before a call is decided: the input is valid, nothing has been asked. */
export interface PreToolUseHookInput extends ToolHookInput {
  readonly hook_event_name: "PreToolUse";
}

/** Rules and mode left a call open, and a person would be asked now. */
export interface PermissionRequestHookInput extends ToolHookInput {
  readonly hook_event_name: "PermissionRequest";
  /** Why it is a question. */
  readonly decision_reason: string;
  /** Updates that would settle it, and calls like it. */
  readonly permission_suggestions: readonly PermissionUpdate[];
}

/** Behind a call that succeeded. */
export interface PostToolUseHookInput extends ToolHookInput {
  readonly hook_event_name: "PostToolUse";
  /** The structured result, else the text. */
  readonly tool_response: JsonValue;
}

/** Behind a call that ran and failed: it threw, said so, took too long, or was stopped. */
export interface PostToolUseFailureHookInput extends ToolHookInput {
  readonly hook_event_name: "PostToolUseFailure";
  /** What the model reads. */
  readonly error: string;
  /** It was stopped: an interrupt, a new message, the end of the session. */
  readonly is_interrupt: boolean;
}

/** Before a message of the user is recorded and sent. */
export interface UserPromptSubmitHookInput extends BaseHookInput {
  readonly hook_event_name: "UserPromptSubmit";
  /** Its text, without images. */
  readonly prompt: string;
}

/** The run would end with success. */
export interface StopHookInput extends BaseHookInput {
  readonly hook_event_name: "Stop";
  /** A Stop hook has kept this run going already. */
  readonly stop_hook_active: boolean;
  /** The text that the run would end with. */
  readonly last_assistant_message: string;
}

/** Somebody is to look: a call waits in the inbox. It is not waited for. */
export interface NotificationHookInput extends BaseHookInput {
  readonly hook_event_name: "Notification";
  readonly notification_type: "approval_requested";
  /** One line for a person. */
  readonly title: string;
  /** Why it is a question. */
  readonly message: string;
  readonly approval_id: string;
  readonly tool_name: string;
  readonly tool_use_id: string;
}

/** The history is about to be summed up. */
export interface PreCompactHookInput extends BaseHookInput {
  readonly hook_event_name: "PreCompact";
  /** `manual`: a person said so. */
  readonly trigger: "manual" | "auto";
  /** What that person wants to be kept. */
  readonly custom_instructions: string | null;
}

/** The history was summed up. */
export interface PostCompactHookInput extends BaseHookInput {
  readonly hook_event_name: "PostCompact";
  readonly trigger: "manual" | "auto";
  /** What the history begins with now, as text. */
  readonly compact_summary: string;
}

/** The input of each event. */
export interface HookInputs {
  readonly PreToolUse: PreToolUseHookInput;
  readonly PermissionRequest: PermissionRequestHookInput;
  readonly PostToolUse: PostToolUseHookInput;
  readonly PostToolUseFailure: PostToolUseFailureHookInput;
  readonly UserPromptSubmit: UserPromptSubmitHookInput;
  readonly Stop: StopHookInput;
  readonly Notification: NotificationHookInput;
  readonly PreCompact: PreCompactHookInput;
  readonly PostCompact: PostCompactHookInput;
}

/** The input of any event; `hook_event_name` says which. */
export type HookInput = HookInputs[HookEvent];

/** What a hook may say in `hookSpecificOutput`, by event. */
export interface HookSpecificOutputs {
  readonly PreToolUse: {
    readonly hookEventName: "PreToolUse";
    /**
     * Deny wins over defer, defer over ask, ask over allow. An allow lifts no deny or ask rule and no safety check.
     * `defer`: the call waits in the inbox, whatever the option `approvals` says, and the turn ends as `paused`.
     */
    readonly permissionDecision?: "allow" | "deny" | "ask" | "defer";
    readonly permissionDecisionReason?: string;
    /** The whole input, changed. It is validated and decided again. */
    readonly updatedInput?: { readonly [key: string]: unknown };
    /** The model reads it beside the result. */
    readonly additionalContext?: string;
  };
  readonly PermissionRequest: {
    readonly hookEventName: "PermissionRequest";
    /** Answers in the person's stead, but not a question that a safety check asks. */
    readonly decision?:
      | {
          readonly behavior: "allow";
          readonly updatedInput?: { readonly [key: string]: unknown };
          readonly updatedPermissions?: readonly PermissionUpdate[];
        }
      | { readonly behavior: "deny"; readonly message?: string; readonly interrupt?: boolean };
  };
  readonly PostToolUse: {
    readonly hookEventName: "PostToolUse";
    readonly additionalContext?: string;
    /** Takes the place of the tool's output, its structured form too. */
    readonly updatedToolOutput?: unknown;
  };
  readonly PostToolUseFailure: {
    readonly hookEventName: "PostToolUseFailure";
    readonly additionalContext?: string;
  };
  readonly UserPromptSubmit: {
    readonly hookEventName: "UserPromptSubmit";
    /** The model reads it behind the message. */
    readonly additionalContext?: string;
  };
  readonly Stop: { readonly hookEventName: "Stop" };
  readonly Notification: {
    readonly hookEventName: "Notification";
    /** The model reads it beside the result of the call, if it comes before that. */
    readonly additionalContext?: string;
  };
  readonly PreCompact: {
    readonly hookEventName: "PreCompact";
    /** Whoever writes the summary heeds it. */
    readonly additionalContext?: string;
  };
  readonly PostCompact: { readonly hookEventName: "PostCompact" };
}

/** What a hook answers. `{}` is no opinion. */
export interface SyncHookJSONOutput<E extends HookEvent = HookEvent> {
  /** False ends the run. */
  readonly continue?: boolean;
  /** Why the run ends; the result says it. */
  readonly stopReason?: string;
  /** Keeps what the hook said out of the `hook_response` message. */
  readonly suppressOutput?: boolean;
  /** Shown to the person. */
  readonly systemMessage?: string;
  /**
   * `block`: PreToolUse refuses the call, PostToolUse objects to the result, UserPromptSubmit keeps the message
   * from the model, Stop goes on, PreCompact leaves the history as it is. `approve` allows in PreToolUse and is no opinion elsewhere.
   */
  readonly decision?: "approve" | "block";
  readonly reason?: string;
  readonly hookSpecificOutput?: HookSpecificOutputs[E];
}

/** The callback works on by itself: nothing waits for it, and it decides nothing. */
export interface AsyncHookJSONOutput {
  readonly async: true;
  /** Taken and without effect: nothing waits. */
  readonly asyncTimeout?: number;
}

/** Everything that a callback may return. */
export type HookJSONOutput<E extends HookEvent = HookEvent> = SyncHookJSONOutput<E> | AsyncHookJSONOutput;

/**
 * A function around an event. It gets an input of its own. A throw, a time-out and an output that is none are failures;
 * the matcher's `onFailure` says what these mean.
 *
 * @param toolUseId undefined where the event is about no tool call.
 */
export type HookCallback<E extends HookEvent = HookEvent> = (
  input: HookInputs[E],
  toolUseId: string | undefined,
  options: {
    /** Fires at the time limit, and when the run is stopped while the callback is waited for. */
    readonly signal: AbortSignal;
  },
) => Promise<HookJSONOutput> | HookJSONOutput;

/** Callbacks with what they have in common. */
export interface HookMatcher<E extends HookEvent = HookEvent> {
  /**
   * Absent, `""` and `*` match every tool; `Edit|Write` a list of names; anything else a linear-time pattern.
   * Only for events around tool calls.
   */
  readonly matcher?: string;
  /** A permission rule: the callbacks run only for calls that it speaks of, such as `Bash(git *)`. */
  readonly if?: string;
  readonly hooks: readonly HookCallback<E>[];
  /** Seconds; default 60. */
  readonly timeout?: number;
  /** What a failing hook means. Default `ask` for PreToolUse and PermissionRequest, else `continue`. */
  readonly onFailure?: "continue" | "ask" | "block";
}

/** Hooks by event. */
export type HooksOption = { readonly [E in HookEvent]?: readonly HookMatcher<E>[] };
