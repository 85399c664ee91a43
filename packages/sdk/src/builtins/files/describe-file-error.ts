import { isCastellanError } from "../../protocol/index.ts";

const WORDS = new Map([
  ["ENOENT", "does not exist"],
  ["EACCES", "may not be opened: this process has no permission"],
  ["EPERM", "may not be changed: this process has no permission"],
  ["EROFS", "lies on a file system that is read-only"],
  ["ENOTDIR", "is not reachable: a part of the path is a file, not a directory"],
  ["EISDIR", "is a directory"],
  ["ELOOP", "is not reachable: its links lead in a circle"],
  ["ENOSPC", "could not be written: the disk is full"],
  ["ENAMETOOLONG", "has a name that is too long for this file system"],
  ["EMFILE", "could not be opened: this process has too many open files"],
]);

/** One sentence for a failure of the file system; anything else is thrown again. */
export function describeFileError(error: unknown, path: string): string {
  if (isCastellanError(error)) return error.message;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (typeof code !== "string" || !(error instanceof Error)) throw error;
  return `${path} ${WORDS.get(code) ?? `could not be used: ${error.message}`}.`;
}
