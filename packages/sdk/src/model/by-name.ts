import { undated, usualName } from "./usual-name.ts";

/**
 * Looks values up by the name of a model: the name in full, then without the date of its release, then names that end in
 * `*`, the longest first; then all this for the name that its provider gives it. Own keys only.
 */
export function byName<T>(table: Readonly<Record<string, T>>): (model: string) => T | undefined {
  const stars = Object.entries(table)
    .filter(([name]) => name.endsWith("*"))
    .map(([name, value]) => [name.slice(0, -1), value] as const)
    .sort(([a], [b]) => b.length - a.length);
  const find = (name: string): T | undefined =>
    own(table, name) ?? own(table, undated(name)) ?? stars.find(([start]) => name.startsWith(start))?.[1];
  return (model) => find(model) ?? find(usualName(model));
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
