import type { Usage } from "../protocol/index.ts";
import { tokensOf } from "./budget.ts";
import type { LoopDeps } from "./deps.ts";

/** What an answer used, with its cost where the price is known. */
export interface Priced {
  readonly model: string;
  readonly usage: Usage;
  readonly costUsd?: number;
}

export function priced({ prices }: Pick<LoopDeps, "prices">, model: string, usage: Usage): Priced {
  const costUsd = prices?.cost(model, usage);
  return { model, usage, ...(costUsd === undefined ? {} : { costUsd }) };
}

/** Counts what was spent on something that is not used: an answer without a word. */
export function recordSpent(deps: LoopDeps, model: string, usage: Usage): void {
  if (tokensOf(usage) === 0) return;
  const message = { role: "assistant", id: deps.platform.ids.short("msg"), parts: [] } as const;
  const spent = priced(deps, model, usage);
  const rest = { message, stopReason: "other", durationMs: 0, interrupted: true } as const;
  deps.log.record("model.completed", { ...spent, ...rest });
}
