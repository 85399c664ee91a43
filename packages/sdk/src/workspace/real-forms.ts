import type { Platform } from "../platform/index.ts";

/**
 * The directories whose path has links in it, each with its links followed. A directory that cannot be
 * followed (it is missing) is left out.
 *
 * @param directories absolute.
 */
export async function realForms(
  { fs }: Pick<Platform, "fs">,
  directories: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const forms = new Map<string, string>();
  for (const directory of directories) {
    const real = await fs.realpath(directory).catch(() => directory);
    if (real !== directory) forms.set(directory, real);
  }
  return forms;
}
