import { join } from "node:path";
import type { Platform } from "../platform/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";
import { readText } from "./read-file.ts";
import { changeFile } from "./writing/change-file.ts";

/** Whose record, and which workspace. Absolute. */
export interface TrustPlace {
  readonly platform: Pick<Platform, "fs" | "clock">;
  readonly home: string;
  readonly projectRoot: string;
}

/** Where trust is recorded. */
export const trustFile = (home: string): string => join(home, ".castellan", "trust.json");

/**
 * Whether the user has trusted this workspace. It is known by its real path, and holds for that folder as project root,
 * not for projects below. A record that cannot be read trusts nothing.
 */
export async function isTrusted({ platform, home, projectRoot }: TrustPlace): Promise<boolean> {
  const read = await readText(platform, trustFile(home));
  if (!("text" in read) || read.text === undefined) return false;
  const workspaces = workspacesIn(read.text);
  if (workspaces === undefined) return false;
  try {
    return workspaces.has(platform.fs.realpathSync(projectRoot));
  } catch {
    return false;
  }
}

/**
 * Records that the user trusts this workspace. False where it was recorded before.
 *
 * Rejects with CastellanError `invalid_settings` where the record cannot be read or written; it stays as it was.
 */
export async function trust(place: TrustPlace): Promise<boolean> {
  return change(place, (workspaces, root) => {
    if (workspaces.has(root)) return false;
    workspaces.set(root, { since: new Date(place.platform.clock.now()).toISOString() });
    return true;
  });
}

/** Takes it back. False where it was not recorded. Rejects as `trust()`. */
export async function untrust(place: TrustPlace): Promise<boolean> {
  return change(place, (workspaces, root) => workspaces.delete(root));
}

async function change(
  { platform, home, projectRoot }: TrustPlace,
  make: (workspaces: Map<string, unknown>, root: string) => boolean,
): Promise<boolean> {
  const file = trustFile(home);
  const root = await platform.fs.realpath(projectRoot);
  let changed = false;
  await changeFile(platform, file, { mode: 0o600, folderMode: 0o700 }, (text) => {
    const workspaces = text === undefined ? new Map<string, unknown>() : workspacesIn(text);
    if (workspaces === undefined) {
      throw new CastellanError("invalid_settings", `${file} is no record of trusted workspaces.`, {
        subject: file,
        fix: "Mend it, or move it away and trust your workspaces anew.",
      });
    }
    changed = make(workspaces, root);
    if (!changed) return text;
    return `${JSON.stringify({ version: 1, workspaces: Object.fromEntries(workspaces) }, null, 2)}\n`;
  });
  return changed;
}

/** The record of each trusted workspace by its real path; undefined for a text that is no such record. */
function workspacesIn(text: string): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || value.version !== 1 || !isJsonObject(value.workspaces)) return undefined;
    return new Map(Object.entries(value.workspaces));
  } catch {
    return undefined;
  }
}
