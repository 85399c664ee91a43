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
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>;
}

/** A finished answer, joined from its parts. */
export interface Completion {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly stopReason: StopReason;
}
