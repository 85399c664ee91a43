import type { Platform } from "../platform/index.ts";
import { errorText } from "../protocol/index.ts";

/** The text of a file; `undefined` where none is there; or why it cannot be read. */
export type ReadText =
  | { readonly text: string | undefined }
  | { readonly problem: string; readonly cause?: unknown };

const MOST_BYTES = 8 * 1024 * 1024;

/** Reads a small file of UTF-8, links followed. A link that leads nowhere is a problem, not an absent file. */
export async function readText({ fs }: Pick<Platform, "fs">, file: string): Promise<ReadText> {
  try {
    // Most files are not there; that is answered from memory.
    if (!isThere(fs, file)) return { text: undefined };
    const stats = fs.statSync(file);
    if (!stats.isFile()) return { problem: stats.isDirectory() ? "it is a folder" : "it is no plain file" };
    if (stats.size > MOST_BYTES) return { problem: "it holds more than 8 MiB" };
    const bytes: Uint8Array | string = await fs.readFile(file);
    if (typeof bytes === "string") return { text: bytes };
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    // It may have been taken away since the first look.
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && !isThere(fs, file)) return { text: undefined };
    return { problem: problemOf(error), cause: error };
  }
}

function isThere({ lstatSync }: Pick<Platform["fs"], "lstatSync">, file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "reading it is not permitted"],
  ["EPERM", "reading it is not permitted"],
  ["ELOOP", "its links lead in a circle"],
  ["ENOENT", "it is a link that leads nowhere"],
  ["ERR_ENCODING_INVALID_ENCODED_DATA", "it is no UTF-8"],
]);

function problemOf(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  return PROBLEMS.get(code) ?? errorText(error);
}
