import type { Platform } from "../platform/index.ts";
import type { PathLibrary } from "./path-rules.ts";

/** How many names are looked at before the directory's own name has to do. */
const MOST_NAMES = 20;

/**
 * Whether the disk of a directory finds a file also under its name in the other letter case.
 * Looks, and writes nothing; where no name has letters, what the system usually does is taken.
 */
export async function isCaseInsensitive(
  platform: Pick<Platform, "fs" | "os">,
  library: PathLibrary,
  directory: string,
): Promise<boolean> {
  for (const path of [...(await someNames(platform, directory)), directory]) {
    const name = library.basename(path);
    const other = swapCase(name);
    if (other === name) continue;
    const same = await areSame(platform, path, library.join(library.dirname(path), other));
    if (same !== undefined) return same;
  }
  return platform.os === "darwin" || platform.os === "win32";

  async function someNames({ fs }: Pick<Platform, "fs">, folder: string): Promise<string[]> {
    try {
      const names: string[] = [];
      // Leaving the loop closes the directory.
      for await (const each of await fs.opendir(folder)) {
        names.push(library.join(folder, each.name));
        if (names.length === MOST_NAMES) break;
      }
      return names;
    } catch {
      return [];
    }
  }
}

async function areSame({ fs }: Pick<Platform, "fs">, a: string, b: string): Promise<boolean | undefined> {
  const here = await fs.lstat(a).catch(() => undefined);
  if (here === undefined) return undefined;
  const there = await fs.lstat(b).catch(() => undefined);
  return there !== undefined && there.dev === here.dev && there.ino === here.ino;
}

function swapCase(text: string): string {
  const upper = text.toUpperCase();
  return upper === text ? text.toLowerCase() : upper;
}
