import type { JsonObject } from "../protocol/index.ts";
import { jsonEqual } from "../schema/index.ts";

/**
 * Each hook saw the same input. A rewrite therefore counts as the keys that it changed, and these
 * are applied one hook after the other: two hooks that change different keys both have their way.
 * Undefined where nothing changed.
 */
export function chainRewrites(input: JsonObject, rewrites: readonly JsonObject[]): JsonObject | undefined {
  if (rewrites.length === 0) return undefined;
  const result = new Map(Object.entries(input));
  let changed = false;
  for (const rewrite of rewrites) {
    for (const key of new Set([...Object.keys(input), ...Object.keys(rewrite)])) {
      const next = Object.hasOwn(rewrite, key) ? rewrite[key] : undefined;
      if (jsonEqual(next, Object.hasOwn(input, key) ? input[key] : undefined)) continue;
      changed = true;
      if (next === undefined) result.delete(key);
      else result.set(key, next);
    }
  }
  return changed ? Object.fromEntries(result) : undefined;
}
