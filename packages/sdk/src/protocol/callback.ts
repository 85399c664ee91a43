import type { Decision } from "./decision.ts";
import type { JsonObject } from "./json.ts";
import type { PermissionUpdate } from "./permission.ts";

export interface CanUseToolContext {
  /** Fires when the question is moot: interrupt, close, abort. */
  readonly signal: AbortSignal;
  /** Updates that would settle this call and calls like it; give them back as `updatedPermissions`. A list of its own. */
  readonly suggestions: PermissionUpdate[];
  readonly toolUseID: string;
  readonly agentID?: string;
  readonly requestId: string;
  /** The call on one line, such as `Bash: npm test`; says so when it cannot be undone. */
  readonly title: string;
  /** What the tool calls itself: its `userFacingName`. */
  readonly displayName: string;
  readonly description: string;
  /** The path that made it a question, where one did. */
  readonly blockedPath?: string;
  /** Why it is a question, as text; `decision` is the whole of it. */
  readonly decisionReason: string;
  readonly matchedRule?: string;
  readonly mcpServer?: string;
  readonly decision: Decision;
  /** The call cannot be undone: the safe answer is no. */
  readonly destructive: boolean;
  /** The call reaches outside this machine. */
  readonly openWorld: boolean;
}

export interface PermissionAllow {
  readonly behavior: "allow";
  /** Absent: the input as it was. Present: validated and decided again. */
  readonly updatedInput?: { readonly [key: string]: unknown } | undefined;
  readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
}

export interface PermissionDeny {
  readonly behavior: "deny";
  /** The model reads it. */
  readonly message: string;
  /** Ends the run after this call's result is written. */
  readonly interrupt?: boolean | undefined;
}

export type PermissionResult = PermissionAllow | PermissionDeny;

/** Asked when the rules left a call open. Anything but a well-formed answer denies. */
export type CanUseTool = (
  toolName: string,
  input: JsonObject,
  context: CanUseToolContext,
) => Promise<PermissionResult> | PermissionResult;
