import type { Platform } from "../platform/index.ts";
import { foldName } from "./fold-name.ts";
import { namesOf, type PathLibrary } from "./path-rules.ts";

const SHAPE = new Set(["head", "config", "objects", "refs", "hooks"]);
/** git takes a folder that holds these for a repository, and runs what its config and hooks say. */
const NEEDED = ["HEAD", "objects", "refs"];

/** The folders that git would take for a repository if this path were written in them. */
function foldersOf(library: PathLibrary, path: string): { folder: string; name: string }[] {
  const names = namesOf(library, path);
  const { root } = library.parse(path);
  return names.flatMap((name, i) =>
    SHAPE.has(foldName(name))
      ? [{ folder: library.join(root, ...names.slice(0, i)), name: foldName(name) }]
      : [],
  );
}

/**
 * Whether a write makes some folder a bare repository, or changes one.
 *
 * @param path resolved path of the write.
 * @param writes resolved paths of every write of the same call, this one among them.
 */
export async function shapesRepository(
  platform: Pick<Platform, "fs">,
  library: PathLibrary,
  path: string,
  writes: readonly string[],
): Promise<boolean> {
  const places = foldersOf(library, path).filter(({ folder }) => library.basename(folder) !== ".git");
  for (const { folder } of places) {
    const written = writes.flatMap((each) => foldersOf(library, each).filter((one) => one.folder === folder));
    const made = new Set(written.map(({ name }) => name));
    const missing = NEEDED.filter((name) => !made.has(foldName(name)));
    const there = await Promise.all(
      missing.map((name) =>
        platform.fs.lstat(library.join(folder, name)).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (there.every(Boolean)) return true;
  }
  return false;
}
