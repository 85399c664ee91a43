import type { Prices } from "../model/index.ts";
import type { Usage } from "../protocol/index.ts";
import type { SessionState } from "../sessions/index.ts";

/** What a session may spend, from its first request on. */
export interface Budget {
  /** US dollars. */
  readonly maxUsd?: number | undefined;
  /** Tokens of all kinds: input, output, read from and written to caches. */
  readonly maxTokens?: number | undefined;
  /** The model whose last answer came without any count, so that nobody knows what is left. */
  uncounted?: string | undefined;
}

/** A limit that is reached, and what to say about it. */
export interface Overspent {
  readonly kind: "max_budget_usd" | "max_tokens_budget";
  readonly message: string;
}

/**
 * Looks before a request whether anything is left. A request that is on its way is never cut short, so what was spent
 * goes over by one of them at most.
 *
 * @param next what would be sent. Default: the next request of the turn.
 */
export function overspent(
  budget: Budget | undefined,
  state: SessionState,
  next?: string,
): Overspent | undefined {
  if (budget === undefined) return undefined;
  const { maxUsd, maxTokens, uncounted } = budget;
  if (maxUsd === undefined && maxTokens === undefined) return undefined;
  const stopped = (kind: Overspent["kind"], why: string): Overspent => ({
    kind,
    message: `Stopped before ${next ?? `model request ${state.turn + 1}`}: ${why}.`,
  });
  const { costUsd, usage } = state.total;
  if (maxUsd !== undefined && costUsd >= maxUsd) {
    return stopped("max_budget_usd", `$${dollars(costUsd)} are spent, maxBudgetUsd is ${maxUsd}`);
  }
  const tokens = tokensOf(usage);
  if (maxTokens !== undefined && tokens >= maxTokens) {
    return stopped("max_tokens_budget", `${tokens} tokens are used, maxTokensBudget is ${maxTokens}`);
  }
  if (uncounted === undefined) return undefined;
  return maxTokens === undefined
    ? stopped("max_budget_usd", `${uncounted} does not count its tokens, so maxBudgetUsd cannot be kept`)
    : stopped(
        "max_tokens_budget",
        `${uncounted} does not count its tokens, so maxTokensBudget cannot be kept`,
      );
}

/** Notes whether the answer of a model can be counted. What costs nothing needs no count of money. */
export function noteCount(
  budget: Budget | undefined,
  model: string,
  usage: Usage,
  prices: Prices | undefined,
): void {
  if (budget === undefined || (budget.maxUsd === undefined && budget.maxTokens === undefined)) return;
  const isFree = budget.maxTokens === undefined && prices?.cost(model, ONE_OF_EACH) === 0;
  budget.uncounted = isFree || tokensOf(usage) > 0 ? undefined : model;
}

const ONE_OF_EACH: Usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 };

/** Tokens of all kinds. */
export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Six decimals at most: a sum of many small prices has an unsightly tail. */
function dollars(amount: number): string {
  return String(Number(amount.toFixed(6)));
}
