import { deepStrictEqual, strictEqual } from "node:assert";
import { errorText } from "../../protocol/index.ts";

/**
 * Throws where two values differ, lists item by item. node:assert compares two whole texts line by line to show where
 * they part; for two long logs that takes Node 22 all the memory there is.
 */
export function equal(actual: unknown, expected: unknown): void {
  if (!Array.isArray(actual) || !Array.isArray(expected)) {
    deepStrictEqual(actual, expected);
    return;
  }
  for (const [index, item] of expected.entries()) {
    try {
      deepStrictEqual(actual[index], item);
    } catch (error) {
      throw new Error(`Item ${index} of ${expected.length}: ${errorText(error)}`);
    }
  }
  strictEqual(actual.length, expected.length);
}
