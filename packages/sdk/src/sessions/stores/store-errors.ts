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
    case "ENOENT":
      // Node says so too where it may not make the folder around it.
      return {
        fix: "See that its folder exists and is writable, or set CASTELLAN_HOME to one that is.",
      };
    case "EFBIG":
      return { fix: "Raise the limit for the size of files; what was acknowledged is kept." };
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

/** `session_busy`: it belongs to another lease that has not run out. */
export function heldByLease(sessionId: string, epoch: number): CastellanError {
  return new CastellanError(
    "session_busy",
    `Session ${sessionId} belongs to another worker, under lease ${epoch}.`,
    { subject: sessionId, fix: "Let that worker release it, or wait until its lease has run out." },
  );
}
