import type { FileSystem, Platform } from "../platform/index.ts";
import { pathLibrary } from "./path-rules.ts";
import { realNow } from "./real-forms.ts";

const MARK = ".castellan";

/**
 * The nearest folder, from the start directory upward, that holds a `.castellan` folder; without one
 * the start directory. The home directory does not count: its `.castellan` belongs to the user, not to
 * a project.
 *
 * @param startDirectory absolute; its text is walked up, links are not followed.
 * @param home default: the home directory of the platform.
 */
export function findProjectRoot(
  platform: Platform,
  startDirectory: string,
  home: string = platform.homedir(),
): string {
  const { fs } = platform;
  const library = pathLibrary(platform.os);
  const start = library.resolve(startDirectory);
  for (let folder = start; ; folder = library.dirname(folder)) {
    const marked = folder !== home && isFolder(fs, library.join(folder, MARK));
    if (marked && folder !== realNow(fs, home)) return folder;
    if (library.dirname(folder) === folder) return start;
  }
}

function isFolder({ statSync }: Pick<FileSystem, "statSync">, path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
