import type { Usage } from "../protocol/index.ts";
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
