import { jsonKey } from "./equal.ts";
import { type Check, fail, step } from "./faults.ts";

/** A test of the number of items; everything but a list passes. */
export function checkItemCount(test: (count: number) => boolean, words: string): Check {
  return (value, place, faults) =>
    !Array.isArray(value) || test(value.length) || fail(faults, place, `must have ${words}`, value);
}

export function checkUnique(value: unknown): Check | undefined {
  if (value !== true) return undefined;
  return (list, place, faults) => {
    if (!Array.isArray(list)) return true;
    const first = new Map<string, number>();
    for (const [index, item] of list.entries()) {
      const key = jsonKey(item);
      const before = first.get(key);
      if (before !== undefined) {
        return fail(faults, step(faults, place, index), `repeats item ${before}`, item, "different items");
      }
      first.set(key, index);
    }
    return true;
  };
}

/** Judges the first items one by one. */
export function checkPrefix(checks: readonly Check[]): Check {
  return (list, place, faults, seen) => {
    if (!Array.isArray(list)) return true;
    let ok = true;
    for (const [index, check] of checks.entries()) {
      if (index >= list.length) break;
      seen?.items.add(index);
      if (check(list[index], step(faults, place, index), faults, undefined)) continue;
      ok = false;
      if (faults === undefined) return false;
    }
    return ok;
  };
}

/** Judges every item from `start` on; with `unseenOnly` those that nothing else has judged. */
export function checkItems(check: Check, start: number, unseenOnly = false): Check {
  return (list, place, faults, seen) => {
    if (!Array.isArray(list)) return true;
    let ok = true;
    for (let index = start; index < list.length; index++) {
      if (unseenOnly && seen?.items.has(index)) continue;
      seen?.items.add(index);
      if (check(list[index], step(faults, place, index), faults, undefined)) continue;
      ok = false;
      if (faults === undefined) return false;
    }
    return ok;
  };
}

export function checkContains(check: Check, min: number, max: number): Check {
  return (list, place, faults, seen) => {
    if (!Array.isArray(list)) return true;
    let count = 0;
    for (const [index, item] of list.entries()) {
      if (!check(item, undefined, undefined, undefined)) continue;
      count++;
      seen?.items.add(index);
    }
    if (count < min)
      return fail(faults, place, `must hold at least ${min} matching item(s), has ${count}`, list);
    return (
      count <= max || fail(faults, place, `must hold at most ${max} matching item(s), has ${count}`, list)
    );
  };
}
