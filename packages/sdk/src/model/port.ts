import type {
  AssistantMessage,
  JsonSchema,
  Message,
  ProviderMeta,
  StopReason,
  Usage,
} from "../protocol/index.ts";

/** A tool as the model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly strict?: boolean;
}

/** How much a model thinks before it answers. `adaptive`: as much as it sees fit. Absent: the model's own default. */
export type ThinkingRequest =
  | { readonly type: "enabled"; readonly budgetTokens: number }
  | { readonly type: "disabled" }
  | { readonly type: "adaptive" };

/** How much work an answer is worth, on the scale that providers have for it. */
export type Effort = "low" | "medium" | "high" | "max";

/** One request. Arrays are the session's own and must not be changed; `system` and `tools` are the byte-stable prefix. */
export interface ModelRequest {
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
  /** How many of `tools` are built-ins: the cache mark goes behind the last of them. */
  readonly builtinTools: number;
  readonly messages: readonly Message[];
  /** Text that is true only now (reminders), added behind the last message and never logged. */
  readonly tail: readonly string[];
  readonly maxOutputTokens?: number;
  readonly thinking?: ThinkingRequest;
  readonly effort?: Effort;
  /**
   * The final answer must fit this schema. A hint: an adapter may use the provider's own mode for it or leave it
   * alone. The answer is taken through a tool in any case, so an adapter must never force the answer into text.
   */
  readonly outputSchema?: JsonSchema;
}

/** What a model streams. A stream that ends without `finish` failed. */
export type ModelPart =
  | { readonly type: "text"; readonly delta: string }
  /** Begins a text or reasoning block of its own where two of the same kind follow each other. */
  | { readonly type: "block"; readonly kind: "text" | "reasoning" }
  | { readonly type: "reasoning"; readonly delta: string }
  /** Provider data of the block that is open. */
  | { readonly type: "meta"; readonly meta: ProviderMeta }
  | { readonly type: "toolStart"; readonly id: string; readonly name: string }
  | { readonly type: "toolDelta"; readonly id: string; readonly delta: string }
  /** Ends a tool call. `inputText` is the whole JSON text when no deltas were sent. */
  | {
      readonly type: "toolEnd";
      readonly id: string;
      readonly inputText?: string;
      readonly meta?: ProviderMeta;
    }
  | { readonly type: "usage"; readonly usage: Partial<Usage> }
  | { readonly type: "finish"; readonly stopReason: StopReason; readonly rawReason?: string };

export interface StreamOptions {
  readonly signal: AbortSignal;
}

/** The neutral port: one method. Our wire adapters, AI SDK models and `scriptedModel` all are one. */
export interface LanguageModel {
  /** The name that logs and results show, as an option could give it again. */
  readonly id: string;
  /** Key of this provider in `meta`. */
  readonly provider: string;
  /**
   * Requests of all models with the same key share one limiter in a host: the base URL and a digest of the key
   * (never the key itself). Absent: requests are not limited together.
   */
  readonly limiterKey?: string;
  /**
   * Throws what went wrong; the error may carry `kind`, `retryable` and `retryAfterMs`. A failure that does not say
   * that it is not `retryable` is tried again.
   */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>;
}

/** A finished answer, joined from its parts. */
export interface Completion {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly stopReason: StopReason;
}
