import type { Platform } from "../platform/index.ts";
import type { ProtectedName } from "../protocol/index.ts";
import { foldName } from "./fold-name.ts";
import { namesOf, type PathLibrary } from "./path-rules.ts";
import { protectedIn } from "./protected-names.ts";

/** Entries that are looked at before trees count as too large to see through. */
const MOST_ENTRIES = 4096;
const BARE_REPOSITORY = ["head", "objects", "refs"];

/** What a tree counts as that cannot be looked through. */
export const TOO_LARGE: ProtectedName = { name: "*", loaded: false };

/** A protected name somewhere in trees that are copied, moved or removed; `*` when they are too large to tell. */
export async function holdsProtected(
  platform: Pick<Platform, "fs">,
  library: PathLibrary,
  directories: readonly string[],
): Promise<ProtectedName | undefined> {
  const folders = directories.map((path) => ({ path, depth: namesOf(library, path).length }));
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { depth } = folder;
    const listed = await platform.fs.readdir(folder.path, { withFileTypes: true }).catch(() => []);
    entries += listed.length + 1;
    if (entries > MOST_ENTRIES) return TOO_LARGE;
    const names = new Set(listed.map((each) => foldName(each.name)));
    if (BARE_REPOSITORY.every((name) => names.has(name))) return { name: "HEAD", loaded: false };
    for (const each of listed) {
      const path = library.join(folder.path, each.name);
      const found = protectedIn(namesOf(library, path), depth);
      if (found !== undefined) return found;
      if (each.isDirectory()) folders.push({ path, depth });
    }
  }
  return undefined;
}
