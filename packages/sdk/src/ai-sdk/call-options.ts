import type { AiSdkModel } from "../model/index.ts";

/** Options or data by provider, as the AI SDK passes them through. */
export type ByProvider = { readonly [provider: string]: { readonly [key: string]: unknown } };

/** One message of a prompt, in the shape of the model's version. */
export interface PromptMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: unknown;
  readonly providerOptions?: ByProvider;
}

export interface PromptTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly strict?: boolean;
  readonly providerOptions?: ByProvider;
}

/** What `doStream` is called with. */
export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly PromptTool[];
  readonly toolChoice?: { readonly type: "auto" };
  readonly maxOutputTokens?: number;
  /** Version 4 only. */
  readonly reasoning?: string;
  readonly providerOptions?: ByProvider;
  readonly includeRawChunks: false;
  readonly abortSignal: AbortSignal;
}

export type Version = AiSdkModel["specificationVersion"];

/** Anthropic's own interface, at whichever cloud: it takes files in results and marks for its cache. */
export function isAnthropic(provider: string): boolean {
  return /anthropic/i.test(provider);
}

export const CACHE_MARK: ByProvider = { anthropic: { cacheControl: { type: "ephemeral" } } };
