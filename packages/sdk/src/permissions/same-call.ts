import type { DecideCall } from "./call.ts";

/**
 * Whether two calls are equal in everything that a decision looks at, field by field, whatever fields there are. The
 * input is left out: it is seen only through the targets, and through functions of the tool, which equal nothing but
 * themselves.
 */
export function sameCall(a: DecideCall, b: DecideCall): boolean {
  return (
    sameData(a.tool, b.tool) &&
    sameData(a.targets, b.targets) &&
    sameData(a.check, b.check) &&
    sameData(a.hooks, b.hooks)
  );
}

function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  return !Array.isArray(b) && sameFields(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!sameData(a[at], b[at])) return false;
  return true;
}

/** Goes through the fields that are there: to ask for those that are not takes ten times as long. */
function sameFields(a: Fields, b: Fields): boolean {
  let more = 0;
  for (const key in a) {
    more += 1;
    const own = a[key];
    const other = b[key];
    // Two targets of one line share its analysis: an equal one that is another would count as a second line.
    if (own !== other && (key === "analysis" || !sameData(own, other))) return false;
  }
  for (const _ in b) more -= 1;
  return more === 0;
}
