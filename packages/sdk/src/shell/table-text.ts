import type { ShellAccess } from "../protocol/index.ts";

const splitNames = new Map<string, readonly string[]>();

/** The tables are written as blank-separated text; each is split once. */
export function namesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === "") return [];
  let names = splitNames.get(text);
  if (names === undefined) {
    names = text.split(" ").filter(Boolean);
    splitNames.set(text, names);
  }
  return names;
}

const splitPaths = new Map<string, ReadonlyMap<string, ShellAccess>>();

/** Options whose value is a path, of a text as `-f:read --file:read`. */
export function pathOptions(text: string | undefined): ReadonlyMap<string, ShellAccess> {
  const key = text ?? "";
  let paths = splitPaths.get(key);
  if (paths === undefined) {
    paths = shapedOptions(key) as ReadonlyMap<string, ShellAccess>;
    splitPaths.set(key, paths);
  }
  return paths;
}

/** Options with a word about their value, of a text as `-v:volume --mount:mount`. */
export function shapedOptions(text: string | undefined): ReadonlyMap<string, string> {
  return new Map(
    namesOf(text).map((item): [string, string] => {
      const at = item.lastIndexOf(":");
      return [item.slice(0, at), item.slice(at + 1)];
    }),
  );
}

/** The rows of a table by each of their names: `"cp mv"` are two. */
export function byName<R, T>(table: Readonly<Record<string, R>>, compile: (row: R) => T): Map<string, T> {
  const found = new Map<string, T>();
  for (const [names, row] of Object.entries(table)) {
    const compiled = compile(row);
    for (const name of names.split(" ")) found.set(name, compiled);
  }
  return found;
}
