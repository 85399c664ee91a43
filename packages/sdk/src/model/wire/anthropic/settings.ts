import type { Effort, ModelRequest } from "../../port.ts";
import { type AnthropicTraits, DEFAULT_OUTPUT } from "./traits.ts";

const LEAST_BUDGET = 1_024;
const USUAL_BUDGET = 16_000;
/** Room for the answer behind a budget of thoughts, where nobody says how much. */
const ANSWER_ROOM = 16_000;

/** `max_tokens`, `thinking` and `output_config` of a request, as this model takes them. */
export function requestSettings(
  request: Pick<ModelRequest, "maxOutputTokens" | "thinking" | "effort" | "outputSchema" | "tools">,
  traits: AnthropicTraits,
  mayThink: boolean,
): object {
  const thinking = thinkingOf(request, traits, mayThink);
  const config = {
    ...effortOf(request.effort, traits),
    // With tools the answer comes through one of them, and its text stays free.
    ...(request.outputSchema !== undefined && request.tools.length === 0
      ? { format: { type: "json_schema", schema: request.outputSchema } }
      : {}),
  };
  return {
    max_tokens: maxTokens(request.maxOutputTokens, traits, thinking?.budget_tokens),
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
  };
}

interface WireThinking {
  readonly type: "adaptive" | "enabled" | "disabled";
  readonly budget_tokens?: number;
  readonly display?: "summarized";
}

function thinkingOf(
  { thinking, maxOutputTokens }: Pick<ModelRequest, "thinking" | "maxOutputTokens">,
  traits: AnthropicTraits,
  mayThink: boolean,
): WireThinking | undefined {
  if (thinking === undefined || traits.thinking === "none") return undefined;
  if (thinking.type === "disabled") {
    return traits.thinksByDefault && !traits.alwaysThinks ? { type: "disabled" } : undefined;
  }
  const byBudget =
    traits.thinking === "budget" || (traits.thinking === "either" && thinking.type === "enabled");
  // The newest models keep their thoughts to themselves unless they are asked to tell them.
  if (!byBudget) return { type: "adaptive", display: "summarized" };
  if (!mayThink) return undefined;
  const wanted = thinking.type === "enabled" ? thinking.budgetTokens : USUAL_BUDGET;
  const most = Math.min(maxOutputTokens ?? traits.mostOutput, traits.mostOutput) - 1;
  const budget = Math.min(Math.max(LEAST_BUDGET, Math.round(wanted)), most);
  return budget < LEAST_BUDGET ? undefined : { type: "enabled", budget_tokens: budget };
}

function effortOf(effort: Effort | undefined, traits: AnthropicTraits): { effort?: string } {
  if (effort === undefined || !traits.effort) return {};
  if (effort === "minimal") return { effort: "low" };
  if (!traits.highEfforts && (effort === "xhigh" || effort === "max")) return { effort: "high" };
  return { effort };
}

function maxTokens(asked: number | undefined, traits: AnthropicTraits, budget: number | undefined): number {
  if (asked !== undefined) return Math.min(asked, traits.mostOutput);
  const usual = budget === undefined ? DEFAULT_OUTPUT : Math.max(DEFAULT_OUTPUT, budget + ANSWER_ROOM);
  return Math.min(usual, traits.mostOutput);
}
