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
  /** Left out of what the model reads until a tool search names it; a provider without that gets it like any other. */
  readonly deferred?: boolean;
}

/** How much a model may think: as it sees fit, up to a number of tokens, or not at all. Absent: the model's own default. */
export type Thinking =
  | { readonly type: "adaptive" }
  | { readonly type: "enabled"; readonly budgetTokens: number }
  | { readonly type: "disabled" };

/** Every level of the option `effort`, the lowest first. */
export const EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** How hard a model works. A provider that lacks a level gets the nearest that it has. */
export type Effort = (typeof EFFORTS)[number];

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
  readonly thinking?: Thinking;
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
  /** The bytes of an artifact that a message refers to, by hash; undefined when there are none any more. */
  readonly loadArtifact?: (hash: string) => Promise<Uint8Array | undefined>;
}

/** The parts of one answer. May be read once, in one of the two ways. */
export interface ModelStream extends AsyncIterable<ModelPart> {
  /** The same parts in the groups in which they arrived: one await a group, not one a part. */
  batches?(): AsyncIterable<readonly ModelPart[]>;
}

/** The neutral port: one method. Our wire adapters, AI SDK models and `scriptedModel` all are one. */
export interface LanguageModel {
  /** The name that logs and results show, as an option could give it again. */
  readonly id: string;
  /** Key of this provider in `meta`. */
  readonly provider: string;
  /** Models with the same one share the limits of a provider: a hash of base URL and key. */
  readonly limitKey?: string;
  /** Tokens that a request may have. Default: known for common models by their `id`, else not at all. */
  readonly contextWindow?: number;
  /**
   * Milliseconds without a part after which a try counts as lost and is made again. Default 60,000. `Infinity` for a
   * model that looks after its silence itself.
   */
  readonly stallMs?: number;
  /**
   * Throws what went wrong. The error may carry a `failure` (a `ModelFailure`); one that does not say that it is not
   * `retryable` is tried again.
   */
  stream(request: ModelRequest, options: StreamOptions): ModelStream;
}

/** A finished answer, joined from its parts. */
export interface Completion {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly stopReason: StopReason;
}
