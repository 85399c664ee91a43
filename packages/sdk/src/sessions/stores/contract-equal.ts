import { isDeepStrictEqual } from "node:util";

const MOST_SHOWN = 300;

/**
 * Throws where two values differ, and names the first place. node:assert compares the two texts line by line to show
 * where they part; for two long logs that takes Node 22 all the memory there is.
 */
export function equal(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(differenceOf(actual, expected));
}

function differenceOf(actual: unknown, expected: unknown): string {
  if (!Array.isArray(actual) || !Array.isArray(expected)) return both("", actual, expected);
  const index = expected.findIndex((item, at) => !isDeepStrictEqual(actual[at], item));
  if (index === -1) return `Expected ${expected.length} items, got ${actual.length}.`;
  return both(` at [${index}] of ${expected.length}`, actual[index], expected[index]);
}

function both(place: string, actual: unknown, expected: unknown): string {
  return `Expected${place} ${shown(expected)}, got ${shown(actual)}.`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)} …` : text;
}
