import type { DecisionReason, MatchedRule } from "../decision.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { ResultPart } from "../message.ts";
import type { ArtifactRef } from "../tool.ts";
import type { Envelope } from "./envelope.ts";

export type ToolDecided = Envelope<
  "tool.decided",
  {
    readonly callId: string;
    readonly name: string;
    readonly behavior: "allow" | "deny";
    readonly message: string;
    readonly reason: DecisionReason;
    readonly rule?: MatchedRule;
    /** The input that will run, where it is not the one that the model sent. */
    readonly input?: JsonObject;
    /** A person, callback or hook was asked before. */
    readonly asked?: boolean;
    /** The tool says that the call reaches outside this machine. */
    readonly openWorld?: boolean;
    /** The model's call inside which a handler made this one. The model knows nothing of it. */
    readonly parent?: string;
  }
>;

/** Written before the side effect. */
export type ToolStarted = Envelope<
  "tool.started",
  {
    readonly callId: string;
    readonly name: string;
    /** Running it again after a crash does no harm (read-only or declared idempotent). */
    readonly repeatable: boolean;
    /** A person approved this very call. */
    readonly approved?: boolean;
    readonly parent?: string;
  }
>;

/** What the model is told of a call that had begun when a run broke off, and may not run twice. */
export const OUTCOME_UNKNOWN: string =
  "Outcome unknown: the call began, but no result of it was recorded. " +
  "It may have taken effect in full, in part or not at all. Look at what is there before you do it again.";

export type ToolOutcome = "finished" | "failed" | "denied" | "cancelled" | "unknown";

/** Exactly one for each tool call of the session. */
export type ToolFinished = Envelope<
  "tool.finished",
  {
    readonly callId: string;
    readonly name: string;
    readonly outcome: ToolOutcome;
    readonly content: readonly ResultPart[];
    readonly isError: boolean;
    /** For the host: the tool's structured result. */
    readonly structured?: JsonValue;
    readonly artifacts?: readonly ArtifactRef[];
    readonly durationMs?: number;
    /** What a hook adds for the model beside the result. */
    readonly context?: readonly string[];
    readonly parent?: string;
  }
>;

export type HookRan = Envelope<
  "hook.ran",
  {
    readonly event: string;
    readonly callId?: string;
    /** Where the callback was given, such as `hooks.PreToolUse[0].hooks[1]`. */
    readonly hook?: string;
    /** What `hook_started` called this run, where somebody was told of it. */
    readonly runId?: string;
    readonly outcome:
      | "no_opinion"
      | "allow"
      | "deny"
      | "ask"
      | "defer"
      | "failed"
      | "context"
      | "rewrite"
      | "block";
    /** What the hook said, or why it failed. */
    readonly detail?: string;
    /** The hook wants this kept out of messages. */
    readonly suppressed?: true;
    readonly durationMs: number;
  }
>;
