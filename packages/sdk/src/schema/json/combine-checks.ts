import type { InputIssue } from "../../protocol/index.ts";
import { isJsonObject } from "../plain.ts";
import { type Check, fail, mergeSeen, newSeen, type Place, type Seen } from "./faults.ts";

// Runs a check that may fail without harm; what it saw counts only when it passed.
function attempt(check: Check, value: unknown, seen: Seen | undefined): boolean {
  const mine = seen === undefined ? undefined : newSeen();
  const ok = check(value, undefined, undefined, mine);
  if (ok && mine !== undefined) mergeSeen(seen, mine);
  return ok;
}

export function checkAllOf(checks: readonly Check[]): Check {
  return (value, place, faults, seen) => {
    let ok = true;
    for (const check of checks) {
      if (check(value, place, faults, seen)) continue;
      ok = false;
      if (faults === undefined) return false;
    }
    return ok;
  };
}

export function checkAnyOf(checks: readonly Check[]): Check {
  return (value, place, faults, seen) => {
    let any = false;
    for (const check of checks) {
      if (!attempt(check, value, seen)) continue;
      any = true;
      // Where somebody collects what was judged, every matching branch counts.
      if (seen === undefined) break;
    }
    return any || (faults !== undefined && failNearest(checks, value, place, faults));
  };
}

export function checkOneOf(checks: readonly Check[]): Check {
  return (value, place, faults, seen) => {
    const matching = checks.filter((check) => attempt(check, value, seen));
    if (matching.length === 1) return true;
    if (matching.length === 0) return faults !== undefined && failNearest(checks, value, place, faults);
    return fail(
      faults,
      place,
      `must match exactly one of ${checks.length} forms, matches ${matching.length}`,
      value,
    );
  };
}

// Tells the faults of the branch that the value was probably meant for: the one with the deepest first fault,
// then with the fewest.
function failNearest(
  checks: readonly Check[],
  value: unknown,
  place: Place | undefined,
  faults: InputIssue[],
): false {
  let best: InputIssue[] | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const check of checks) {
    const found: InputIssue[] = [];
    check(value, place, found, undefined);
    const score = (found[0]?.path.split(".").length ?? 0) * 10 - found.length;
    if (found.length > 0 && score > bestScore) {
      best = found;
      bestScore = score;
    }
  }
  fail(faults, place, `matches none of ${checks.length} forms`, value);
  if (best !== undefined && best.length < 10) faults.push(...best);
  return false;
}

export function checkNot(check: Check): Check {
  return (value, place, faults) =>
    !check(value, undefined, undefined, undefined) ||
    fail(faults, place, "has a form that is ruled out", value);
}

export function checkIf(condition: Check, then: Check | undefined, otherwise: Check | undefined): Check {
  return (value, place, faults, seen) => {
    const branch = attempt(condition, value, seen) ? then : otherwise;
    return branch === undefined || branch(value, place, faults, seen);
  };
}

export function checkDependentSchemas(checks: ReadonlyMap<string, Check>): Check {
  return (value, place, faults, seen) => {
    if (!isJsonObject(value)) return true;
    let ok = true;
    for (const [key, check] of checks) {
      if (Object.hasOwn(value, key) && !check(value, place, faults, seen)) ok = false;
    }
    return ok;
  };
}
