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
    readonly stopReason?: string;
    /**
     * Finer than `subtype`: `completed`, `interrupted`, `denied_interrupt`, `max_turns`, `model_error`, `context_overflow`,
     * `max_budget_usd`, `max_tokens_budget`, `max_structured_output_retries`, `closed`, `aborted`, `hook_stopped`,
     * `prompt_blocked`.
     */
    readonly terminalReason: string;
  }
>;
