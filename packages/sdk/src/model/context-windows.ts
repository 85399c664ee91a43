import { byName } from "./by-name.ts";

/** Tokens by the name of a model, as in the option `model`. A `*` at the end of a name stands for any rest. */
export type ContextWindowTable = Readonly<Record<string, number>>;

/**
 * How many tokens a request may have: input, of models that count their answer beside it (GPT-5), else both. Where a
 * longer request costs more for each token, or must be asked for (Sonnet 4 and 4.5), the size up to there stands here:
 * too early is better than too late, and cheaper.
 *
 * Anthropic: platform.claude.com/docs/models/overview and the page of each model, read on 2026-11-30 (newest state of
 * them: 24 October 2026). OpenAI: 400,000 for GPT-5 of which 128,000 are for the answer, 272,000 as the step in the price
 * of GPT-5.4 and 5.5, the rest of each model, as pages of others repeated them in May 2026: its own pages were not read.
 * Options of the host correct what is out of date.
 */
const WINDOWS: ContextWindowTable = {
  "anthropic/claude-*": 200_000,
  "anthropic/claude-fable-5*": 1_000_000,
  "anthropic/claude-opus-4-6*": 1_000_000,
  "anthropic/claude-opus-4-7*": 1_000_000,
  "anthropic/claude-opus-4-8*": 1_000_000,
  "anthropic/claude-opus-5*": 1_000_000,
  "anthropic/claude-sonnet-4-6*": 1_000_000,
  "anthropic/claude-sonnet-5*": 1_000_000,
  "anthropic/claude-haiku-5-5*": 100_000,
  "openai/gpt-5*": 272_000,
  "openai/gpt-5-chat*": 128_000,
  "openai/gpt-5.1-chat*": 128_000,
  "openai/gpt-4.1*": 1_000_000,
  "openai/gpt-4o*": 128_000,
  "openai/o3*": 200_000,
  "openai/o4-mini*": 200_000,
};

const known = byName(WINDOWS);

/** Tokens that a model takes, by its `id`; undefined where that is not known. */
export function contextWindow(model: string): number | undefined {
  return known(model);
}

/** The same for windows that somebody tells; undefined for the models of others. */
export function createContextWindows(told: ContextWindowTable = {}): (model: string) => number | undefined {
  return byName(told);
}
