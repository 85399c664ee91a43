import type { Platform } from "../platform/index.ts";
import { POLICY_FOLDER } from "./file-places.ts";

/** Whether there is anything of a machine's policy: a look that costs next to nothing. */
export function hasMachinePolicy({ fs }: Pick<Platform, "fs">): boolean {
  try {
    return fs.statSync(POLICY_FOLDER, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // What cannot be looked at is not absent: reading it says why.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
