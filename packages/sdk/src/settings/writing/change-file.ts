import { dirname } from "node:path";
import type { Platform } from "../../platform/index.ts";
import { errorText } from "../../protocol/index.ts";
import { readText } from "../read-file.ts";
import { notChanged } from "./not-changed.ts";
import { swapFile } from "./swap-file.ts";

const MOST_TRIES = 20;
const FIX = "Make it readable and writable, and try again.";

/**
 * Changes a file's text, or makes the file with its folder. Who else changes it meanwhile is not overwritten: the change
 * is made anew on what they wrote.
 *
 * @param make gives the new text; the same one, or undefined, leaves the file alone. It may throw, and be called again.
 * @returns whether the file was written.
 *
 * Rejects with CastellanError `invalid_settings` where it cannot be read or written; it stays as it was.
 */
export async function changeFile(
  platform: Pick<Platform, "fs" | "clock">,
  file: string,
  modes: { readonly mode?: number; readonly folderMode?: number },
  make: (text: string | undefined) => string | undefined,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const read = await readText(platform, file);
    if ("problem" in read) throw notChanged(file, read.problem, FIX, read.cause);
    const next = make(read.text);
    if (next === undefined || next === read.text) return false;
    if (read.text === undefined) await makeFolder(platform, file, modes.folderMode);
    if (await swapFile(platform, file, read.text, next, modes.mode)) return true;
    if (tries >= MOST_TRIES) throw notChanged(file, "others keep changing it", FIX);
  }
}

async function makeFolder({ fs }: Pick<Platform, "fs">, file: string, mode = 0o777): Promise<void> {
  try {
    await fs.mkdir(dirname(file), { recursive: true, mode });
  } catch (error) {
    throw notChanged(file, errorText(error), FIX, error);
  }
}
