import type { EventData, Usage } from "../protocol/index.ts";
import { NO_USAGE } from "../protocol/index.ts";
import type { SessionState, Spending } from "./state.ts";

/** What an answer cost. */
type Paid = Pick<EventData<"model.completed">, "model" | "usage" | "costUsd">;

/** Adds one answer of a model. */
export function spend(spending: Spending, answer: Paid): void {
  spending.usage = addUsage(spending.usage, answer.usage);
  const before = Object.hasOwn(spending.modelUsage, answer.model)
    ? spending.modelUsage[answer.model]
    : undefined;
  const sum = addUsage(before ?? NO_USAGE, answer.usage);
  spending.modelUsage = { ...spending.modelUsage, [answer.model]: sum };
  spending.modelCostUsd = addCost(spending.modelCostUsd, answer, before === undefined);
  if (answer.costUsd === undefined) spending.costUnknown = true;
  else spending.costUsd += answer.costUsd;
}

/** A model with one answer of unknown cost has no cost. */
function addCost(
  costs: Readonly<Record<string, number>>,
  { model, costUsd }: Paid,
  first: boolean,
): Readonly<Record<string, number>> {
  const before = first ? 0 : Object.hasOwn(costs, model) ? costs[model] : undefined;
  if (before !== undefined && costUsd !== undefined) return { ...costs, [model]: before + costUsd };
  if (before === undefined || first) return costs;
  const { [model]: _, ...others } = costs;
  return others;
}

/** The sum of two counts. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

/** The fields of a `result` event that the state knows. */
export type ResultTotals = Pick<
  EventData<"result">,
  "turns" | "usage" | "modelUsage" | "modelCostUsd" | "costUsd" | "costUnknown" | "denials"
>;

/**
 * What the next `result` reports: requests and denials since the last message of a person, tokens
 * and money since the last result. So the results of a session add up to its total.
 */
export function resultTotals(state: SessionState): ResultTotals {
  const { turn, usage, modelUsage, modelCostUsd, costUsd, costUnknown, denials } = state;
  return {
    turns: turn,
    usage,
    modelUsage,
    modelCostUsd,
    costUsd,
    ...(costUnknown ? { costUnknown } : {}),
    denials: [...denials],
  };
}
