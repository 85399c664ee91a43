import type { Effort, ModelRequest } from "../../port.ts";

/** Names of OpenAI models that think: o1, o3 …, gpt-5 and later, codex; the chat editions do not. */
export function isReasoningModel(model: string): boolean {
  if (/chat/.test(model)) return false;
  return /^(o\d|codex|computer-use)/.test(model) || generation(model) >= 5;
}

/** The effort that a model of OpenAI is asked for; undefined leaves it its own. */
export function openaiEffort(
  { effort, thinking }: Pick<ModelRequest, "effort" | "thinking">,
  model: string,
): string | undefined {
  const version = generation(model);
  if (effort !== undefined) return nearest(effort, version);
  if (thinking?.type === "disabled") return leastThinking(model, version);
  return thinking?.type === "enabled" ? byBudget(thinking.budgetTokens) : undefined;
}

function nearest(effort: Effort, version: number): string {
  if (effort === "minimal") return version >= 5 && version < 5.1 ? "minimal" : "low";
  if (effort === "xhigh" || effort === "max") return version >= 5.2 ? "xhigh" : "high";
  return effort;
}

/** Servers of other makers know `none`; the first models of OpenAI that think cannot do without. */
function leastThinking(model: string, version: number): string {
  if (version >= 5 && version < 5.1) return "minimal";
  return /^o\d/.test(model) ? "low" : "none";
}

function byBudget(tokens: number): string {
  return tokens <= 4_096 ? "low" : tokens <= 16_384 ? "medium" : "high";
}

/** `gpt-5.4-mini` is 5.4; 0 for what is no gpt. */
function generation(model: string): number {
  return Number(/^gpt-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0);
}
