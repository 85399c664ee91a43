import type { JsonObject, JsonValue } from "./json.ts";
import type { PermissionMode } from "./permission.ts";

/** The hook events that this release fires. */
export const HOOK_EVENTS = ["PreToolUse", "PostToolUse"] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface BaseHookInput {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode: PermissionMode;
  readonly agent_id?: string;
  readonly agent_type?: string;
}

export interface PreToolUseHookInput extends BaseHookInput {
  readonly hook_event_name: "PreToolUse";
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  readonly tool_use_id: string;
}

export interface PostToolUseHookInput extends BaseHookInput {
  readonly hook_event_name: "PostToolUse";
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  readonly tool_use_id: string;
  readonly tool_response: JsonValue;
}

export type HookInput = PreToolUseHookInput | PostToolUseHookInput;

export interface HookJSONOutput {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  /** The older top-level spelling. */
  readonly decision?: "approve" | "block";
  readonly reason?: string;
  readonly hookSpecificOutput?:
    | {
        readonly hookEventName: "PreToolUse";
        readonly permissionDecision?: "allow" | "deny" | "ask";
        readonly permissionDecisionReason?: string;
        readonly updatedInput?: JsonObject;
        readonly additionalContext?: string;
      }
    | {
        readonly hookEventName: "PostToolUse";
        readonly additionalContext?: string;
        readonly updatedToolOutput?: JsonValue;
      };
}

export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<HookJSONOutput> | HookJSONOutput;

export interface HookMatcher {
  /** Absent, `""` and `*` match every tool; `Edit|Write` a list; anything else a linear-time pattern. */
  readonly matcher?: string;
  readonly hooks: readonly HookCallback[];
  /** Seconds; default 60. */
  readonly timeout?: number;
  /** What a failing hook means. Default `ask` for PreToolUse, `continue` for PostToolUse. */
  readonly onFailure?: "continue" | "ask" | "block";
}

export type HooksOption = { readonly [E in HookEvent]?: readonly HookMatcher[] };
