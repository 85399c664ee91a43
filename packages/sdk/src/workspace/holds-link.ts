import type { Platform } from "../platform/index.ts";
import type { PathLibrary } from "./path-rules.ts";

/** Entries that are looked at before trees count as holding one. */
const MOST_ENTRIES = 4096;

/** Whether a link lies in one of the trees, or they are too large to tell. */
export async function holdsLink(
  platform: Pick<Platform, "fs">,
  library: PathLibrary,
  directories: readonly string[],
): Promise<boolean> {
  const folders = [...directories];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = await platform.fs.readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (listed === undefined) return true;
    entries += listed.length + 1;
    if (entries > MOST_ENTRIES) return true;
    for (const each of listed) {
      if (each.isSymbolicLink()) return true;
      if (each.isDirectory()) folders.push(library.join(folder, each.name));
    }
  }
  return false;
}
