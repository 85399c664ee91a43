import { CHECKED_BUILTINS } from "./builtins.ts";
import { CARRIERS } from "./carriers/carried-by.ts";
import { STARTERS } from "./carriers/launched.ts";
import { SCRIPT_RUNNERS } from "./inspect-script.ts";

export const CHECKED = 1;
export const CARRIES = 2;
export const LAUNCHES = 4;
export const RUNS_SCRIPTS = 8;

const KINDS: ReadonlyMap<string, number> = kindsByName([
  [CHECKED, CHECKED_BUILTINS],
  [CARRIES, CARRIERS],
  [LAUNCHES, STARTERS],
  [RUNS_SCRIPTS, SCRIPT_RUNNERS],
]);

function kindsByName(
  lists: readonly (readonly [kind: number, names: Iterable<string>])[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [kind, names] of lists) for (const name of names) found.set(name, (found.get(name) ?? 0) | kind);
  return found;
}

const ZERO = 48;
const NINE = 57;
const DOT = 46;

/** What must be asked about a program of this name: most names are in none of the tables, which is told by one look. */
export function kindsOf(name: string): number {
  const last = name.charCodeAt(name.length - 1);
  // `python3.11`: a version may stand behind the name of an interpreter.
  const versioned = (last >= ZERO && last <= NINE) || last === DOT;
  return (KINDS.get(name) ?? 0) | (versioned ? RUNS_SCRIPTS : 0);
}
