import { undated, usualName } from "./usual-name.ts";

/**
 * How many tokens a request of these models may have, by the beginning of their names.
 * Where a provider sells more than one size the smaller one stands here: too early is better than too late.
 */
const WINDOWS: readonly (readonly [start: string, tokens: number])[] = [
  ["anthropic/claude-", 200_000],
  ["openai/gpt-5", 272_000],
  ["openai/gpt-4.1", 1_000_000],
  ["openai/gpt-4o", 128_000],
  ["openai/o3", 200_000],
  ["openai/o4-mini", 200_000],
];

/** Tokens that a model takes, by its `id`; undefined where that is not known. */
export function contextWindow(model: string): number | undefined {
  const name = undated(usualName(model));
  return WINDOWS.find(([start]) => name.startsWith(start))?.[1];
}
