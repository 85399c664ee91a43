/**
 * Every code that a thrown `CastellanError` can carry. Expected outcomes (a denial, an invalid
 * tool input, a time-out of a tool) are values and never appear here.
 */
export const ERROR_CODES = [
  "invalid_option",
  "invalid_tool",
  "invalid_schema",
  "invalid_rule",
  "invalid_settings",
  "invalid_model",
  "missing_key",
  "script_exhausted",
  "duplicate_tool",
  "session_not_found",
  "session_busy",
  "log_corrupt",
  "log_too_new",
  "redaction_failed",
  "import_refused",
  "store_conflict",
  "store_failed",
  "lease_lost",
  "artifact_missing",
  "artifact_invalid",
  "path_changed",
  "approval_not_found",
  "approval_already_decided",
  "approval_expired",
  "approval_changed",
  "approval_refused",
  "model_failed",
  "query_closed",
  "aborted",
  "internal",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

const BRAND: unique symbol = Symbol.for("castellan.error") as never;

/** What an error is about, so that a program can react without reading its text. */
export interface ErrorDetails {
  /** The original error, kept for the stack. */
  readonly cause?: unknown;
  /** The option, file, tool or event that the error is about. */
  readonly subject?: string;
  /** What the reader can do to mend it, in one sentence. */
  readonly fix?: string;
}

/**
 * The one error class that Castellan throws.
 *
 * The message names the thing, the place and the fix. Tell errors apart by `code`
 * (or `isCastellanError(e, code)`), never by their text.
 */
export class CastellanError extends Error {
  override readonly name: string = "CastellanError";
  readonly code: ErrorCode;
  readonly subject: string | undefined;
  readonly fix: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(
      details.fix === undefined ? message : `${message} ${details.fix}`,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.subject = details.subject;
    this.fix = details.fix;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Thrown out of an iterator whose `abortController` was aborted, after the result message. */
export class AbortError extends CastellanError {
  override readonly name: string = "AbortError";
  constructor(message = "The operation was aborted.", details: ErrorDetails = {}) {
    super("aborted", message, details);
  }
}

/**
 * Whether `error` is a `CastellanError`, also one of another copy of this package.
 *
 * @param code when given, only an error of this code counts.
 */
export function isCastellanError(error: unknown, code?: ErrorCode): error is CastellanError {
  if (typeof error !== "object" || error === null) return false;
  if ((error as Record<symbol, unknown>)[BRAND] !== true) return false;
  return code === undefined || (error as CastellanError).code === code;
}
