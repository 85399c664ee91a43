import type { JsonObject } from "../json.ts";
import type { Usage } from "../message.ts";
import type { Envelope } from "./envelope.ts";

export type ResultSubtype =
  | "success"
  | "error_max_turns"
  | "error_during_execution"
  | "error_max_budget_usd"
  | "error_max_structured_output_retries"
  | "paused";

export interface PermissionDenial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: JsonObject;
}

/** A call that waits in the inbox, as a result tells of it. */
export interface PendingApproval {
  readonly approval_id: string;
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: JsonObject;
  /** One line for a person. */
  readonly title: string;
  /** Epoch milliseconds. */
  readonly expires_at?: number;
}

/** The end of one user turn. */
export type ResultEvent = Envelope<
  "result",
  {
    readonly subtype: ResultSubtype;
    /** Final text, on success. */
    readonly result?: string;
    readonly errors?: readonly string[];
    /** The answer as data, where the session has an output format. */
    readonly structuredOutput?: JsonObject;
    readonly turns: number;
    readonly durationMs: number;
    readonly usage: Usage;
    readonly modelUsage: Readonly<Record<string, Usage>>;
    /** US dollars by model, as far as the price was known for every answer. */
    readonly modelCostUsd?: Readonly<Record<string, number>>;
    readonly costUsd: number;
    readonly costUnknown?: boolean;
    readonly denials: readonly PermissionDenial[];
    /** Of a paused turn: what it waits for. */
    readonly pendingApprovals?: readonly PendingApproval[];
    readonly stopReason?: string;
    /** The turn began by itself: for a timer, or for a background command that had ended. */
    readonly woken?: boolean;
    /**
     * Finer than `subtype`: `completed`, `interrupted`, `denied_interrupt`, `max_turns`, `model_error`, `context_overflow`,
     * `max_budget_usd`, `max_tokens_budget`, `max_structured_output_retries`, `closed`, `aborted`, `hook_stopped`,
     * `prompt_blocked`, `paused`.
     */
    readonly terminalReason: string;
  }
>;
