import type { RestoreDeps } from "./restore-files.ts";
import type { RestoreEntry, RestoreOptions, RewoundFile } from "./restore-types.ts";

/** `restoreFiles`, whose code is loaded when it is first called. Rejects as it does. */
export async function restoreFilesLater(
  deps: RestoreDeps,
  entries: readonly RestoreEntry[],
  options: RestoreOptions,
): Promise<readonly RewoundFile[]> {
  const { restoreFiles } = await import("./restore-files.ts");
  return restoreFiles(deps, entries, options);
}
