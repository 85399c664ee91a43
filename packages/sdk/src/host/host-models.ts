import {
  type ContextWindowTable,
  contextWindow,
  createContextWindows,
  createLimiters,
  createPrices,
  type LanguageModel,
  type Limiters,
  type Prices,
  type PriceTable,
} from "../model/index.ts";
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
  /**
   * How many tokens a model takes, by model name; they win over what the model object and the SDK say. The option
   * `compaction.contextWindow` of a session wins over them.
   */
  readonly contextWindows?: ContextWindowTable;
}

/** What all sessions of a host share about models. */
export interface HostModels {
  readonly prices: Prices;
  readonly limiters: Limiters;
  alias(name: string): string;
  /** Tokens that a model takes; undefined where that is not known. */
  contextWindow(model: LanguageModel): number | undefined;
}

const KEYS = ["prices", "aliases", "contextWindows"];
/** A window that is smaller holds no summary beside a system prompt. */
export const LEAST_WINDOW = 1_000;
const RATES = ["input", "output", "cacheRead", "cacheWrite"];
const NEEDED = ["input", "output"];

/** @throws CastellanError `invalid_option` that names the model and the field. */
export function createHostModels(options: HostModelOptions | undefined, clock: Clock): HostModels {
  const { prices, aliases, contextWindows } = checked(options ?? {});
  const told = createContextWindows(contextWindows);
  const names = new Map(Object.entries(aliases ?? {}));
  return {
    prices: createPrices(prices),
    limiters: createLimiters(clock),
    alias: (name) => names.get(name) ?? name,
    contextWindow: (model) => told(model.id) ?? model.contextWindow ?? contextWindow(model.id),
  };
}

function checked(options: HostModelOptions): HostModelOptions {
  if (!isJsonObject(options)) throw bad("models", `an object with ${KEYS.join(", ")}`, options);
  for (const key of Object.keys(options)) {
    if (!KEYS.includes(key)) throw bad(`models.${key}`, `one of the keys ${KEYS.join(", ")}`, key);
  }
  const { prices = {}, aliases = {}, contextWindows = {} } = options;
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
  if (!isJsonObject(contextWindows)) {
    throw bad("models.contextWindows", "an object of tokens by model name", contextWindows);
  }
  for (const [name, tokens] of Object.entries(contextWindows)) {
    if (Number.isSafeInteger(tokens) && (tokens as number) >= LEAST_WINDOW) continue;
    const at = `models.contextWindows[${JSON.stringify(name)}]`;
    throw bad(at, `a whole number of at least ${LEAST_WINDOW}`, tokens);
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
