import type { Platform } from "../../platform/index.ts";
import { CastellanError, type PermissionUpdate, type UpdateDestination } from "../../protocol/index.ts";
import { localFile, projectFile, userFile } from "../file-places.ts";
import { readText } from "../read-file.ts";
import { parseText } from "../reading/parse-text.ts";
import { changeFile } from "./change-file.ts";
import { editSettings } from "./edit-settings.ts";
import { notChanged } from "./not-changed.ts";

/** Where the files of destinations lie. Absolute. */
export interface WritePlaces {
  readonly home: string;
  readonly projectRoot: string;
}

/** What was written. */
export interface WrittenUpdates {
  /** Files that changed, absolute. */
  readonly files: readonly string[];
}

/** Shared files are for all to read, personal ones are not. */
const PRIVATE = 0o600;
const SHARED = 0o644;

const FIX = "Mend it, and try again.";

/**
 * Writes updates of permissions into the settings files of their destinations; those for `session` and `cliArg` are
 * passed over. A file is made where there is none. In one that is there everything else stays: comments, formatting,
 * unknown keys, the mode, a link. It is replaced in one step, and what another program writes meanwhile is kept.
 *
 * Rejects with CastellanError `invalid_settings` where a file cannot be read, is no settings, or cannot be written: that
 * file stays as it was, and no file is touched where one of them cannot be read.
 */
export async function writeUpdates(
  platform: Pick<Platform, "fs" | "clock">,
  places: WritePlaces,
  updates: readonly PermissionUpdate[],
): Promise<WrittenUpdates> {
  const byFile = new Map<string, PermissionUpdate[]>();
  for (const update of updates) {
    const file = fileOf(update.destination, places);
    if (file === undefined) continue;
    refuseBypass(update, file, places);
    byFile.set(file, [...(byFile.get(file) ?? []), update]);
  }
  // All of them are tried before any is written.
  for (const [file, list] of byFile) {
    const read = await readText(platform, file);
    if ("problem" in read) throw notChanged(file, read.problem, FIX, read.cause);
    edited(file, read.text, list);
  }
  const files: string[] = [];
  for (const [file, list] of byFile) {
    const mode = file === projectFile(places.projectRoot) ? SHARED : PRIVATE;
    if (await changeFile(platform, file, { mode }, (text) => edited(file, text, list))) files.push(file);
  }
  return { files };
}

/** The file of a destination; undefined for those that are no file. */
function fileOf(destination: UpdateDestination, { home, projectRoot }: WritePlaces): string | undefined {
  switch (destination) {
    case "userSettings":
      return userFile(home);
    case "projectSettings":
      return projectFile(projectRoot);
    case "localSettings":
      return localFile(projectRoot);
    default:
      return undefined;
  }
}

function refuseBypass(update: PermissionUpdate, file: string, { home }: WritePlaces): void {
  if (update.type !== "setMode" || file === userFile(home)) return;
  if (update.mode !== "bypassPermissions" && update.mode !== "yolo") return;
  throw notChanged(file, "a project's file never gives bypassPermissions", FIX);
}

function edited(
  file: string,
  before: string | undefined,
  updates: readonly PermissionUpdate[],
): string | undefined {
  const parsed = parseText(before ?? "");
  if ("fault" in parsed) throw notChanged(file, `line ${parsed.line}: ${parsed.fault}`, FIX);
  if (parsed.doubled.length > 0) throw notChanged(file, "a key stands in it twice", FIX);
  let text = before ?? "";
  for (const update of updates) {
    const next = editSettings(text, update);
    if ("problem" in next) throw notChanged(file, next.problem, FIX);
    text = next.text;
  }
  // Nothing is written that could not be read again.
  if ("fault" in parseText(text))
    throw new CastellanError("internal", `The change of ${file} came out malformed.`);
  return text === (before ?? "") ? before : text;
}
