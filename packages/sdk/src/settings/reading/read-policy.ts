import { join } from "node:path";
import type { Platform } from "../../platform/index.ts";
import { type FilePlace, POLICY_FOLDER } from "../file-places.ts";
import { unreadable } from "./layer-of.ts";

/**
 * The files of the machine's policy, those that win first: of `managed-settings.d` the last by name, and
 * `managed-settings.json` at the end.
 *
 * Rejects with CastellanError `invalid_settings` where the folder cannot be read.
 */
export async function policyPlaces(platform: Pick<Platform, "fs">): Promise<readonly FilePlace[]> {
  const folder = join(POLICY_FOLDER, "managed-settings.d");
  const names = await namesIn(platform, folder);
  const added = names.map((name) => join(folder, name));
  return [...added.reverse(), join(POLICY_FOLDER, "managed-settings.json")].map((file) => ({
    source: "policySettings",
    file,
  }));
}

async function namesIn({ fs }: Pick<Platform, "fs">, folder: string): Promise<string[]> {
  try {
    if (fs.statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    const entries = await fs.readdir(folder);
    return entries.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw unreadable(folder, `the folder cannot be listed (${code ?? String(error)})`, error);
  }
}
