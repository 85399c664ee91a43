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
    paths = new Map(
      namesOf(key).map((item): [string, ShellAccess] => {
        const at = item.lastIndexOf(":");
        return [item.slice(0, at), item.slice(at + 1) as ShellAccess];
      }),
    );
    splitPaths.set(key, paths);
  }
  return paths;
}
