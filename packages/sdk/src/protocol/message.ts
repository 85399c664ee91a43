import type { JsonObject, JsonValue } from "./json.ts";

/** Opaque data of one provider (signatures, encrypted reasoning), given back to it byte for byte. */
export type ProviderMeta = { readonly [provider: string]: JsonValue };

/** Where the bytes of a file part are. `artifact` is a SHA-256 in the artifact store; it is never shown to a model. */
export type FileRef =
  | { readonly kind: "data"; readonly base64: string }
  | { readonly kind: "artifact"; readonly hash: string; readonly size: number }
  | { readonly kind: "url"; readonly url: string };

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly meta?: ProviderMeta;
}

export interface ReasoningPart {
  readonly type: "reasoning";
  /** Empty when the provider gave only an encrypted form, which then stands in `meta`. */
  readonly text: string;
  readonly meta?: ProviderMeta;
}

export interface ToolCallPart {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  /** The text that the model sent when it was not JSON; `input` is `{}` then. */
  readonly invalidInput?: string;
  /** Only in a log: a redactor changed `input`. The call does not run from there. */
  readonly redacted?: true;
  readonly meta?: ProviderMeta;
}

export interface FilePart {
  readonly type: "file";
  readonly mediaType: string;
  readonly ref: FileRef;
  readonly name?: string;
}

/** What a tool result is made of once it is normalised: all that a model ever gets of it. */
export type ResultPart = TextPart | FilePart;

export interface ToolResultPart {
  readonly type: "toolResult";
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ResultPart[];
  readonly isError: boolean;
}

export type UserPart = TextPart | FilePart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

export interface UserMessage {
  readonly role: "user";
  readonly parts: readonly UserPart[];
  /** The name that the program gave it. No model gets it. */
  readonly uuid?: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly id: string;
  readonly parts: readonly AssistantPart[];
  readonly meta?: ProviderMeta;
}

/** The results of one round, one for each tool call of the assistant message before it, in source order. */
export interface ToolMessage {
  readonly role: "tool";
  readonly parts: readonly ToolResultPart[];
}

/** A message in the log: neutral, whatever the provider. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Tokens of one or more model requests. `inputTokens` leaves out what was read from or written to a cache. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Why the model stopped. `other` keeps a reason that we do not know. */
export type StopReason = "end_turn" | "tool_use" | "max_tokens" | "refusal" | "context_overflow" | "other";

/** A tool call on its way: what the model asked for, or what a hook or person made of it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}
