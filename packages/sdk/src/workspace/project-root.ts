import type { Platform } from "../platform/index.ts";
import { pathLibrary } from "./path-rules.ts";

const MARK = ".castellan";

/**
 * The nearest folder, from the start directory upward, that holds a `.castellan` folder; without one
 * the start directory. The home directory does not count: its `.castellan` belongs to the user, not to
 * a project.
 *
 * @param startDirectory absolute; its text is walked up, links are not followed.
 * @param home default: the home directory of the platform.
 */
export async function findProjectRoot(
  platform: Platform,
  startDirectory: string,
  home: string = platform.homedir(),
): Promise<string> {
  const library = pathLibrary(platform.os);
  const start = library.resolve(startDirectory);
  const homes = new Set([home, await platform.fs.realpath(home).catch(() => home)]);
  for (let folder = start; ; folder = library.dirname(folder)) {
    const mark = homes.has(folder)
      ? undefined
      : await platform.fs.stat(library.join(folder, MARK)).catch(() => undefined);
    if (mark?.isDirectory() === true) return folder;
    if (library.dirname(folder) === folder) return start;
  }
}
