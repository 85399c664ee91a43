import type { Platform } from "../platform/index.ts";
import { createIgnoreFiles } from "./ignore-files.ts";
import { pathLibrary } from "./path-rules.ts";

/**
 * Whether the walk of a directory heeds ignore files that lie above it, as it does in a repository only.
 * A search program that walks by itself must be told the same.
 *
 * @param real absolute, links followed.
 */
export async function heedsIgnoreFilesAbove(
  platform: Pick<Platform, "fs" | "os">,
  real: string,
): Promise<boolean> {
  const library = pathLibrary(platform.os);
  const above = await createIgnoreFiles(platform.fs, library).levelsAbove(real);
  return above.length > 0;
}
