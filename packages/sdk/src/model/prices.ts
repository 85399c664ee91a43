import type { Usage } from "../protocol/index.ts";
import { type ModelPrice, type ModelRates, PRICE_TABLE, type PriceTable } from "./price-table.ts";
import { undated, usualName } from "./usual-name.ts";

/** What answers cost. */
export interface Prices {
  /** The price of a model, by its `id`; undefined when none is known. */
  of(model: string): ModelPrice | undefined;
  /** US dollars of one answer; undefined when the model's price is not known. */
  cost(model: string, usage: Usage): number | undefined;
}

/**
 * Prices of `own`, then of the table that comes with the SDK. The name of the model counts in full, then without the
 * date of its release, then names of `own` that end in `*`, the longest first; then all this for the name that its
 * provider gives it.
 */
export function createPrices(own: PriceTable = {}): Prices {
  const stars = Object.entries(own)
    .filter(([name]) => name.endsWith("*"))
    .map(([name, price]) => [name.slice(0, -1), price] as const)
    .sort(([a], [b]) => b.length - a.length);
  const known = new Map<string, ModelPrice | undefined>();

  function find(model: string): ModelPrice | undefined {
    const usual = usualName(model);
    return inOwn(model) ?? inOwn(usual) ?? inTable(usual);
  }

  function inOwn(model: string): ModelPrice | undefined {
    return (
      priceIn(own, model) ??
      priceIn(own, undated(model)) ??
      stars.find(([start]) => model.startsWith(start))?.[1]
    );
  }

  function of(model: string): ModelPrice | undefined {
    if (known.has(model)) return known.get(model);
    const price = find(model);
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

function inTable(model: string): ModelPrice | undefined {
  return priceIn(PRICE_TABLE, model) ?? priceIn(PRICE_TABLE, undated(model));
}

function priceIn(table: PriceTable, name: string): ModelPrice | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

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
