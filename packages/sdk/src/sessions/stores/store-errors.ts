import { CastellanError, errorText, isCastellanError } from "../../protocol/index.ts";

/** What a closed store throws. */
export function closedStore(): CastellanError {
  return new CastellanError("store_failed", "The session store is closed.", {
    fix: "Open a new one.",
  });
}

/** `store_failed` for a file or folder; an error of ours stays what it is. */
export function storeFailed(path: string, what: string, cause: unknown): CastellanError {
  if (isCastellanError(cause)) return cause;
  const why = errorText(cause);
  return new CastellanError("store_failed", `${what} ${path} failed: ${why}`, {
    cause,
    subject: path,
    ...fixFor(codeOf(cause)),
  });
}

/** The `code` of a file system error. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Whether a file system error says that there is nothing at the path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

function fixFor(code: string | undefined): { fix?: string } {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { fix: "Free some space; what was acknowledged is kept." };
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return { fix: "Make the folder writable, or set CASTELLAN_HOME to one that is." };
    default:
      return {};
  }
}

/** `log_corrupt` for one line of a log file. */
export function corruptLine(file: string, line: number, why: string): CastellanError {
  return new CastellanError("log_corrupt", `${file}, line ${line}: ${why}`, {
    subject: file,
    fix: "Restore the file from a copy, or cut it off before this line to go on from there.",
  });
}
