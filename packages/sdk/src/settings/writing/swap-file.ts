import { basename, dirname, join } from "node:path";
import type { Platform } from "../../platform/index.ts";
import { errorText } from "../../protocol/index.ts";
import { draftFile } from "./draft-file.ts";
import { notChanged } from "./not-changed.ts";

const FIX = "Make it writable, and try again.";

const KNOWN: ReadonlyMap<string, readonly [problem: string, fix: string]> = new Map([
  ["ENOSPC", ["the disk is full", "Make room on it, and try again."]],
  ["EDQUOT", ["the quota of the disk is used up", "Make room on it, and try again."]],
  ["EROFS", ["its disk is read-only", FIX]],
  ["EACCES", ["writing in its folder is not permitted", FIX]],
  ["EPERM", ["writing in its folder is not permitted", FIX]],
]);

/**
 * Writes a text in place of a file's in one step: whoever reads the file sees the old text or the new one. Mode and
 * link stay: a link is followed to its file.
 *
 * Gives false, and leaves it alone, where the file no longer holds `before`, or is gone with its folder.
 *
 * @param before undefined for a file that is to be made: false where it is there already.
 *
 * Rejects with CastellanError `invalid_settings` when the file cannot be written.
 */
export async function swapFile(
  platform: Pick<Platform, "fs" | "clock">,
  file: string,
  before: string | undefined,
  text: string,
  newMode = 0o600,
): Promise<boolean> {
  const { fs } = platform;
  try {
    const isNew = before === undefined;
    const path = isNew ? join(await fs.realpath(dirname(file)), basename(file)) : await fs.realpath(file);
    const mode = isNew ? newMode : (await fs.stat(path)).mode & 0o777;
    // A rename would get past it.
    if ((mode & 0o222) === 0) throw new Error("it is read-only");
    return await draftFile(platform, path, text, mode, async (draft) => {
      if ((await textOf(fs, path)) !== before) return false;
      await fs.rename(draft, path);
      return true;
    });
  } catch (error) {
    // Taken away between two looks at it, or its folder was.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    const [problem, fix] = KNOWN.get(code) ?? [errorText(error), FIX];
    throw notChanged(file, problem, fix, error);
  }
}

async function textOf({ readFile, lstat }: Platform["fs"], path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await lstat(path).then(
      () => Promise.reject(new Error("it is a link that leads nowhere")),
      () => undefined,
    );
    return undefined;
  }
}
