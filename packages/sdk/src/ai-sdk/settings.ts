import type { Effort, ModelRequest, Thinking } from "../model/index.ts";
import { type ByProvider, type CallOptions, isAnthropic, type Version } from "./call-options.ts";

/** `thinking`, `effort` and what else a provider is told, as it wants to hear it. */
export function providerSettings(
  { thinking, effort, maxOutputTokens }: Pick<ModelRequest, "thinking" | "effort" | "maxOutputTokens">,
  provider: string,
  version: Version,
  own: ByProvider,
): Pick<CallOptions, "reasoning" | "maxOutputTokens" | "providerOptions"> {
  const merged: Record<string, ByProvider[string]> = settingsFor(provider, thinking, effort);
  for (const [key, options] of Object.entries(own)) merged[key] = { ...merged[key], ...options };
  const reasoning = thinking?.type === "disabled" ? "none" : effort;
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(Object.keys(merged).length === 0 ? {} : { providerOptions: merged }),
    ...(version === "v4" && reasoning !== undefined ? { reasoning } : {}),
  };
}

function settingsFor(
  provider: string,
  thinking: Thinking | undefined,
  effort: Effort | undefined,
): Record<string, ByProvider[string]> {
  const options: Record<string, unknown> = {};
  const key = isAnthropic(provider) ? "anthropic" : keyOf(provider);
  if (key === "anthropic") {
    if (thinking !== undefined)
      options.thinking = thinking.type === "adaptive" ? { ...thinking, display: "summarized" } : thinking;
    if (effort !== undefined) options.effort = effort === "minimal" ? "low" : effort;
  } else if (key === "google") {
    if (thinking !== undefined) options.thinkingConfig = googleThinking(thinking);
  } else {
    if (thinking?.type === "disabled") options.reasoningEffort = "none";
    else if (effort !== undefined) options.reasoningEffort = effort === "max" ? "xhigh" : effort;
    // The history is ours: nothing is kept at the provider, and thoughts come back to us encrypted.
    if (key === "openai" && provider.endsWith(".responses")) options.store = false;
  }
  return Object.keys(options).length === 0 ? {} : { [key]: options };
}

function keyOf(provider: string): string {
  const first = provider.split(".")[0] ?? provider;
  return first === "azure" ? "openai" : first;
}

function googleThinking(thinking: Thinking): object {
  if (thinking.type === "disabled") return { thinkingBudget: 0 };
  return {
    includeThoughts: true,
    ...(thinking.type === "enabled" ? { thinkingBudget: thinking.budgetTokens } : {}),
  };
}
