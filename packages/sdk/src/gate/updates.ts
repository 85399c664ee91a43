import type { PermissionUpdate } from "../protocol/index.ts";

/** The directories that the updates add. */
export function addedDirectories(updates: readonly PermissionUpdate[]): readonly string[] {
  return updates.flatMap((update) => (update.type === "addDirectories" ? update.directories : []));
}
