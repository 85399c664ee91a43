import { createLimiters, createPrices, type Limiters, type Prices, type PriceTable } from "../model/index.ts";
import type { Clock } from "../platform/index.ts";
import type { CastellanError } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";
import { badOption, shown } from "./options/fault.ts";

/** What a host knows of models beside what the SDK knows. */
export interface HostModelOptions {
  /** US dollars for a million tokens, by model name; they win over the prices that come with the SDK. */
  readonly prices?: PriceTable;
  /** Short names for models: `{ fast: "openai/gpt-5-mini" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** What all sessions of a host share about models. */
export interface HostModels {
  readonly prices: Prices;
  readonly limiters: Limiters;
  alias(name: string): string;
}

const KEYS = ["prices", "aliases"];
const RATES = ["input", "output", "cacheRead", "cacheWrite"];
const NEEDED = ["input", "output"];

/** @throws CastellanError `invalid_option` that names the model and the field. */
export function createHostModels(options: HostModelOptions | undefined, clock: Clock): HostModels {
  const { prices, aliases } = checked(options ?? {});
  const names = new Map(Object.entries(aliases ?? {}));
  return {
    prices: createPrices(prices),
    limiters: createLimiters(clock),
    alias: (name) => names.get(name) ?? name,
  };
}

function checked(options: HostModelOptions): HostModelOptions {
  if (!isJsonObject(options)) throw bad("models", "an object with prices and aliases", options);
  for (const key of Object.keys(options)) {
    if (!KEYS.includes(key)) throw bad(`models.${key}`, `one of the keys ${KEYS.join(", ")}`, key);
  }
  const { prices = {}, aliases = {} } = options;
  if (!isJsonObject(prices)) throw bad("models.prices", "an object of prices by model name", prices);
  for (const [model, price] of Object.entries(prices)) {
    const at = `models.prices[${JSON.stringify(model)}]`;
    checkRates(price, at, [...RATES, "above"]);
    const above: unknown = (price as { readonly above?: unknown }).above;
    if (above !== undefined) checkRates(above, `${at}.above`, [...RATES, "inputTokens"]);
  }
  if (!isJsonObject(aliases)) throw bad("models.aliases", "an object of model names", aliases);
  for (const [name, model] of Object.entries(aliases)) {
    if (typeof model !== "string" || model.trim() === "") {
      throw bad(`models.aliases[${JSON.stringify(name)}]`, "the name of a model", model);
    }
  }
  return options;
}

function checkRates(price: unknown, at: string, keys: readonly string[]): void {
  if (!isJsonObject(price))
    throw bad(at, "an object with input and output, in US dollars for a million tokens", price);
  for (const [key, value] of Object.entries(price)) {
    if (!keys.includes(key)) throw bad(`${at}.${key}`, `one of the keys ${keys.join(", ")}`, key);
    if (key === "above" || value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      throw bad(`${at}.${key}`, "a number of at least 0", value);
    }
  }
  for (const key of [...NEEDED, ...keys.filter((key) => key === "inputTokens")]) {
    if (price[key] === undefined) throw bad(`${at}.${key}`, "a number of at least 0", undefined);
  }
}

function bad(place: string, expected: string, got: unknown): CastellanError {
  return badOption(place, `createHost options.${place} is ${shown(got)}.`, `It must be ${expected}.`);
}
