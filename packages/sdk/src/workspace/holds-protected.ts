import type { Platform } from "../platform/index.ts";
import type { ProtectedName } from "../protocol/index.ts";
import { foldName } from "./fold-name.ts";
import { namesOf, type PathLibrary } from "./path-rules.ts";
import { protectedIn } from "./protected-names.ts";

/** Entries that are looked at before a tree counts as too large to see through. */
const MOST_ENTRIES = 4096;
const BARE_REPOSITORY = ["head", "objects", "refs"];

/** A protected name somewhere in a tree that is copied, moved or removed; `*` when it is too large to tell. */
export async function holdsProtected(
  platform: Pick<Platform, "fs">,
  library: PathLibrary,
  directory: string,
): Promise<ProtectedName | undefined> {
  const folders = [directory];
  const depth = namesOf(library, directory).length;
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = await platform.fs.readdir(folder, { withFileTypes: true }).catch(() => []);
    entries += listed.length;
    if (entries > MOST_ENTRIES) return { name: "*", loaded: false };
    const names = new Set(listed.map((each) => foldName(each.name)));
    if (BARE_REPOSITORY.every((name) => names.has(name))) return { name: "HEAD", loaded: false };
    for (const each of listed) {
      const path = library.join(folder, each.name);
      const found = protectedIn(namesOf(library, path), depth);
      if (found !== undefined) return found;
      if (each.isDirectory()) folders.push(path);
    }
  }
  return undefined;
}
