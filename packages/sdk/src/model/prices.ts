import type { Usage } from "../protocol/index.ts";
import { byName } from "./by-name.ts";
import { type ModelPrice, type ModelRates, PRICE_TABLE, type PriceTable } from "./price-table.ts";

/** What answers cost. */
export interface Prices {
  /** The price of a model, by its `id`; undefined when none is known. */
  of(model: string): ModelPrice | undefined;
  /** US dollars of one answer; undefined when the model's price is not known. */
  cost(model: string, usage: Usage): number | undefined;
}

/** Prices of `own`, then of the table that comes with the SDK; both by `byName()`. */
export function createPrices(own: PriceTable = {}): Prices {
  const told = byName(own);
  const known = new Map<string, ModelPrice | undefined>();

  function of(model: string): ModelPrice | undefined {
    if (known.has(model)) return known.get(model);
    const price = told(model) ?? listed(model);
    known.set(model, price);
    return price;
  }

  return {
    of,
    cost(model, usage) {
      const price = of(model);
      return price === undefined ? undefined : costOf(price, usage);
    },
  };
}

const listed = byName(PRICE_TABLE);

function costOf(price: ModelPrice, usage: Usage): number {
  const { above } = price;
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const rates: ModelRates = above !== undefined && input > above.inputTokens ? above : price;
  return (
    (usage.inputTokens * rates.input +
      usage.outputTokens * rates.output +
      usage.cacheReadTokens * (rates.cacheRead ?? rates.input) +
      usage.cacheWriteTokens * (rates.cacheWrite ?? rates.input)) /
    1_000_000
  );
}
