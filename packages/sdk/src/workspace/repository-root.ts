import type { Platform } from "../platform/index.ts";
import type { PathLibrary } from "./path-rules.ts";

/**
 * The root of the git repository around a directory: the nearest folder upward with a `.git` that git would
 * take. Undefined where there is none, and in a bare repository, whose files lie nowhere on the disk.
 *
 * @param directory absolute, links followed.
 */
export async function repositoryRoot(
  { fs }: Pick<Platform, "fs">,
  library: PathLibrary,
  directory: string,
): Promise<string | undefined> {
  const has = (...names: string[]): Promise<boolean> =>
    fs.stat(library.join(...names)).then(
      () => true,
      () => false,
    );
  for (let folder = directory; ; folder = library.dirname(folder)) {
    const mark = await fs.stat(library.join(folder, ".git")).catch(() => undefined);
    // A `.git` folder without a HEAD is passed over by git too.
    if (mark?.isFile() === true || (await has(folder, ".git", "HEAD"))) return folder;
    if ((await has(folder, "HEAD")) && (await has(folder, "objects"))) return undefined;
    if (library.dirname(folder) === folder) return undefined;
  }
}
