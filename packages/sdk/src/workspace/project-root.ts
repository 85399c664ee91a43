import { isDirectory, type Platform } from "../platform/index.ts";
import { pathLibrary } from "./path-rules.ts";
import { realNow } from "./real-forms.ts";

const MARK = ".castellan";

/** Folders of other hosts that mark a project as well, where they are read. */
type HostMark = "claude" | "qoder";

/**
 * The nearest folder, from the start directory upward, that holds a `.castellan` folder; without one
 * the start directory. The home directory does not count: its `.castellan` belongs to the user, not to
 * a project.
 *
 * @param startDirectory absolute; its text is walked up, links are not followed.
 * @param home default: the home directory of the platform.
 * @param compat hosts whose folders (`.claude`) mark a project as well.
 */
export function findProjectRoot(
  platform: Platform,
  startDirectory: string,
  home: string = platform.homedir(),
  compat: readonly HostMark[] = [],
): string {
  const { fs } = platform;
  const library = pathLibrary(platform.os);
  const start = library.resolve(startDirectory);
  const marks = [MARK, ...compat.map((host) => `.${host}`)];
  for (let folder = start; ; folder = library.dirname(folder)) {
    const marked = folder !== home && marks.some((mark) => isDirectory(fs, library.join(folder, mark)));
    if (marked && folder !== realNow(fs, home)) return folder;
    if (library.dirname(folder) === folder) return start;
  }
}
