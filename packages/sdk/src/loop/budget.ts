import type { SessionState } from "../sessions/index.ts";

/** What a session may spend, from its first request on. */
export interface Budget {
  /** US dollars. */
  readonly maxUsd?: number | undefined;
  /** Tokens of all kinds: input, output, read from and written to caches. */
  readonly maxTokens?: number | undefined;
}

/** A limit that is reached, and what to say about it. */
export interface Overspent {
  readonly kind: "max_budget_usd" | "max_tokens_budget";
  readonly message: string;
}

/** Looks before a request whether anything is left. A request that is on its way is never cut short. */
export function overspent(budget: Budget | undefined, state: SessionState): Overspent | undefined {
  if (budget === undefined) return undefined;
  const { maxUsd, maxTokens } = budget;
  const { costUsd, usage } = state.total;
  const before = `Stopped before model request ${state.turn + 1}:`;
  if (maxUsd !== undefined && costUsd >= maxUsd) {
    return {
      kind: "max_budget_usd",
      message: `${before} $${dollars(costUsd)} are spent, maxBudgetUsd is ${maxUsd}.`,
    };
  }
  const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (maxTokens !== undefined && tokens >= maxTokens) {
    return {
      kind: "max_tokens_budget",
      message: `${before} ${tokens} tokens are used, maxTokensBudget is ${maxTokens}.`,
    };
  }
  return undefined;
}

/** Six decimals at most: a sum of many small prices has an unsightly tail. */
function dollars(amount: number): string {
  return String(Number(amount.toFixed(6)));
}
