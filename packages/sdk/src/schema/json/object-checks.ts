import { nearestName } from "../../protocol/index.ts";
import { isJsonObject } from "../plain.ts";
import { type Check, fail, step } from "./faults.ts";

export interface ObjectKeywords {
  readonly properties: ReadonlyMap<string, Check>;
  readonly patterns: readonly (readonly [test: (key: string) => boolean, check: Check])[];
  /** What the rest must be; undefined: anything. `false` in the schema: an unknown key. */
  readonly additional: Check | false | undefined;
}

/** `properties`, `patternProperties` and `additionalProperties`, which only make sense together. */
export function checkProperties({ properties, patterns, additional }: ObjectKeywords): Check {
  return (value, place, faults, seen) => {
    if (!isJsonObject(value)) return true;
    let ok = true;
    for (const key of Object.keys(value)) {
      const at = step(faults, place, key);
      const check = properties.get(key);
      let known = check !== undefined;
      let good = check === undefined || check(value[key], at, faults, undefined);
      for (const [test, patternCheck] of patterns) {
        if (!test(key)) continue;
        known = true;
        good = patternCheck(value[key], at, faults, undefined) && good;
      }
      if (!known && additional !== undefined) {
        known = true;
        good =
          additional === false
            ? fail(faults, at, unknownKey(key, properties), value[key], listed(properties))
            : additional(value[key], at, faults, undefined);
      }
      if (known) seen?.keys.add(key);
      if (good) continue;
      ok = false;
      if (faults === undefined) return false;
    }
    return ok;
  };
}

function unknownKey(key: string, properties: ReadonlyMap<string, Check>): string {
  const near = nearestName(key, properties.keys());
  return near === undefined ? "is an unknown key" : `is an unknown key; did you mean ${near}?`;
}

function listed(properties: ReadonlyMap<string, Check>): string {
  const names = [...properties.keys()];
  if (names.length === 0) return "no keys";
  return `only ${names.slice(0, 20).join(", ")}${names.length > 20 ? " …" : ""}`;
}

/** Keys that must be there; with `when`, only where that key is. */
export function checkRequired(names: readonly string[], when?: string): Check {
  return (value, place, faults) => {
    if (!isJsonObject(value) || (when !== undefined && !Object.hasOwn(value, when))) return true;
    let ok = true;
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue;
      ok = fail(
        faults,
        step(faults, place, name),
        when === undefined ? "is missing" : `is missing, and ${when} needs it`,
        undefined,
      );
      if (faults === undefined) return false;
    }
    return ok;
  };
}

/** A test of the number of keys; everything but an object passes. */
export function checkKeyCount(test: (count: number) => boolean, words: string): Check {
  return (value, place, faults) =>
    !isJsonObject(value) ||
    test(Object.keys(value).length) ||
    fail(faults, place, `must have ${words}`, value);
}

export function checkKeyNames(check: Check): Check {
  return (value, place, faults) => {
    if (!isJsonObject(value)) return true;
    const bad = Object.keys(value).find((key) => !check(key, undefined, undefined, undefined));
    return (
      bad === undefined ||
      fail(faults, step(faults, place, bad), "has a name that is not allowed", value[bad])
    );
  };
}

/** Judges the keys that nothing else has judged. */
export function checkUnseenKeys(check: Check): Check {
  return (value, place, faults, seen) => {
    if (!isJsonObject(value)) return true;
    let ok = true;
    for (const key of Object.keys(value)) {
      if (seen?.keys.has(key)) continue;
      seen?.keys.add(key);
      if (check(value[key], step(faults, place, key), faults, undefined)) continue;
      ok = false;
      if (faults === undefined) return false;
    }
    return ok;
  };
}
