/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
  /** Input that no cache had a part in. */
  readonly input: number;
  readonly output: number;
  /** Input read from a cache. Default: `input`. */
  readonly cacheRead?: number;
  /** Input written to a cache. Default: `input`. */
  readonly cacheWrite?: number;
  /** Other rates for a whole request whose input, caches included, is longer than `inputTokens`. */
  readonly above?: ModelRates & { readonly inputTokens: number };
}

export type ModelRates = Omit<ModelPrice, "above">;

/** Prices by the name of a model, as in the option `model`. A `*` at the end of a name stands for any rest. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;

/** When these prices were looked up: Anthropic's on the first date, OpenAI's on the second. */
export const PRICES_AS_OF: { readonly anthropic: string; readonly openai: string } = {
  anthropic: "2026-10-24",
  openai: "2026-06-12",
};

/** Anthropic's cache rates: a tenth for a read, five quarters for a write that holds five minutes. */
function claude(input: number, output: number, cacheRead: number = input / 10): ModelPrice {
  return { input, output, cacheRead, cacheWrite: input * 1.25 };
}

function gpt(input: number, output: number, cacheRead: number): ModelPrice {
  return { input, output, cacheRead };
}

/** Long requests cost twice the input and one and a half times the output. */
function gptTiered(input: number, output: number, cacheRead: number): ModelPrice {
  const above = { inputTokens: 272_000, input: input * 2, output: output * 1.5, cacheRead: cacheRead * 2 };
  return { ...gpt(input, output, cacheRead), above };
}

/** List prices of models that many people use. Prices change: what a host gives itself wins. */
export const PRICE_TABLE: PriceTable = {
  "anthropic/claude-fable-5-1": claude(10, 50, 0.25),
  "anthropic/claude-opus-5-5": claude(4, 20, 0.2),
  "anthropic/claude-opus-5": claude(5, 25),
  "anthropic/claude-opus-4-8": claude(5, 25),
  "anthropic/claude-opus-4-7": claude(5, 25),
  "anthropic/claude-opus-4-6": claude(5, 25),
  "anthropic/claude-opus-4-5": claude(5, 25),
  "anthropic/claude-opus-4-1": claude(15, 75),
  "anthropic/claude-sonnet-5-5": claude(2, 10, 0.1),
  "anthropic/claude-sonnet-5": claude(2, 10),
  "anthropic/claude-sonnet-4-6": claude(3, 15),
  "anthropic/claude-sonnet-4-5": claude(3, 15),
  "anthropic/claude-sonnet-4": claude(3, 15),
  "anthropic/claude-haiku-5-5": {
    ...claude(0.1, 0.5),
    above: { inputTokens: 100_000, ...claude(0.5, 2.5) },
  },
  "anthropic/claude-haiku-4-5": claude(1, 5),
  "openai/gpt-5.5": gptTiered(5, 30, 0.5),
  "openai/gpt-5.4": gptTiered(2.5, 15, 0.25),
  "openai/gpt-5.4-mini": gpt(0.75, 4.5, 0.075),
  "openai/gpt-5.4-nano": gpt(0.2, 1.25, 0.02),
  "openai/gpt-5.1": gpt(1.25, 10, 0.125),
  "openai/gpt-5": gpt(1.25, 10, 0.125),
  "openai/gpt-5-mini": gpt(0.25, 2, 0.025),
  "openai/gpt-5-nano": gpt(0.05, 0.4, 0.005),
  "openai/gpt-4.1": gpt(2, 8, 0.5),
  "openai/gpt-4.1-mini": gpt(0.4, 1.6, 0.1),
  "openai/gpt-4.1-nano": gpt(0.1, 0.4, 0.025),
  "openai/gpt-4o": gpt(2.5, 10, 1.25),
  "openai/gpt-4o-mini": gpt(0.15, 0.6, 0.075),
  "openai/o3": gpt(2, 8, 0.5),
  "openai/o4-mini": gpt(1.1, 4.4, 0.275),
};
