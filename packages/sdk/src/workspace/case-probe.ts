import type { FileSystem, Platform } from "../platform/index.ts";
import type { PathLibrary } from "./path-rules.ts";

/** How many names are looked at before the directory's own name has to do. */
const MOST_NAMES = 20;
const MOST_REMEMBERED = 1000;

/** By directory, the path that showed the rule last: the next session looks at that one, and lists nothing. */
const telling = new WeakMap<FileSystem, Map<string, string>>();

/**
 * Whether the disk of a directory finds a file also under its name in the other letter case.
 * Looks, and writes nothing; where no name has letters, what the system usually does is taken.
 * The answer is never remembered, only where to look.
 */
export async function isCaseInsensitive(
  { fs, os }: Pick<Platform, "fs" | "os">,
  library: PathLibrary,
  directory: string,
): Promise<boolean> {
  const remembered = telling.get(fs) ?? new Map<string, string>();
  telling.set(fs, remembered);
  const known = remembered.get(directory);
  const now = known === undefined ? undefined : looksNow(known);
  if (now !== undefined) return now;
  for (const path of [...(await someNames()), directory]) {
    const same = looksNow(path);
    if (same === undefined) continue;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(directory, path);
    return same;
  }
  return os === "darwin" || os === "win32";

  async function someNames(): Promise<string[]> {
    try {
      const names: string[] = [];
      // Leaving the loop closes the directory.
      for await (const each of await fs.opendir(directory)) {
        names.push(library.join(directory, each.name));
        if (names.length === MOST_NAMES) break;
      }
      return names;
    } catch {
      return [];
    }
  }

  function looksNow(path: string): boolean | undefined {
    const other = otherCase(library, path);
    if (other === undefined) return undefined;
    const look = (at: string) => fs.lstatSync(at, { throwIfNoEntry: false });
    try {
      return verdict(look(path), look(other), look(path));
    } catch {
      return undefined;
    }
  }
}

interface Standing {
  readonly dev: number;
  readonly ino: number;
}

/** Undefined when the file was not there, or was replaced while it was looked at: it then shows nothing. */
function verdict(
  before: Standing | undefined,
  other: Standing | undefined,
  after: Standing | undefined,
): boolean | undefined {
  return before !== undefined && isSame(before, after) ? isSame(before, other) : undefined;
}

function isSame(a: Standing, b: Standing | undefined): boolean {
  return a.dev === b?.dev && a.ino === b.ino;
}

/** The path with its last name in the other letter case; undefined when that name has no letters. */
function otherCase(library: PathLibrary, path: string): string | undefined {
  const name = library.basename(path);
  const upper = name.toUpperCase();
  const other = upper === name ? name.toLowerCase() : upper;
  return other === name ? undefined : library.join(library.dirname(path), other);
}
