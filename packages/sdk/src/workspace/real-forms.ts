import type { FileSystem, Platform } from "../platform/index.ts";

/**
 * The directories whose path has links in it, each with its links followed. A directory that cannot be
 * followed (it is missing) is left out.
 *
 * @param directories absolute.
 */
export function realForms(
  { fs }: Pick<Platform, "fs">,
  directories: readonly string[],
): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const directory of directories) {
    const real = realNow(fs, directory);
    if (real !== undefined && real !== directory) forms.set(directory, real);
  }
  return forms;
}

/** A path with its links followed; undefined when it cannot be followed. For directories that a person names. */
export function realNow(
  { realpathSync }: Pick<FileSystem, "realpathSync">,
  path: string,
): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
