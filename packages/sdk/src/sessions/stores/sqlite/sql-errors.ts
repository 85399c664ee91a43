import { CastellanError } from "../../../protocol/index.ts";

/** What came out of a driver. */
export interface SqlFault {
  readonly text: string;
  /** `SQLITE_FULL` and the like; `ERR_SQLITE_ERROR` of Node, which tells the rest by number. */
  readonly code: string;
  readonly errcode?: number;
}

const BY_NUMBER: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

/** The error for a person: which database, what is wrong with it, what to do. */
export function databaseError(file: string, fault: SqlFault): CastellanError {
  const cause = Object.assign(new Error(fault.text), { code: fault.code });
  const code = fault.errcode === undefined ? fault.code : (BY_NUMBER[fault.errcode & 0xff] ?? fault.code);
  const details = { cause, subject: file };
  if (code === "TOO_NEW") {
    const fix = "Use that release, or another file.";
    return new CastellanError("log_too_new", `The database ${file} cannot be used: ${fault.text}.`, {
      ...details,
      fix,
    });
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    const fix = "Restore it from a copy, or name another file.";
    return new CastellanError("log_corrupt", `The database ${file} is damaged: ${fault.text}.`, {
      ...details,
      fix,
    });
  }
  return new CastellanError("store_failed", `The database ${file} failed: ${fault.text}.`, {
    ...details,
    ...fixFor(code),
  });
}

function fixFor(code: string): { fix?: string } {
  if (code.startsWith("SQLITE_FULL")) return { fix: "Free some space; what was acknowledged is kept." };
  if (code.startsWith("SQLITE_IOERR")) return { fix: "Look whether the disk is full or broken." };
  if (/^SQLITE_(READONLY|CANTOPEN)/.test(code)) {
    return { fix: "Make the file and its folder writable, or set CASTELLAN_HOME to one that is." };
  }
  if (code.startsWith("SQLITE_BUSY")) return { fix: "End the program that holds it, or try again." };
  return {};
}
