import type { ErrorCode } from "../protocol/index.ts";
import { errorText, isCastellanError } from "../protocol/index.ts";
import type { Ending } from "./results.ts";
import { textEnding } from "./results.ts";

/** What a log that cannot be written throws, now and for every later call. */
const LOG_ERRORS: ReadonlySet<string> = new Set<ErrorCode>([
  "store_failed",
  "store_conflict",
  "lease_lost",
  "redaction_failed",
  "session_busy",
  "log_corrupt",
  "query_closed",
]);

export function isLogError(error: unknown): boolean {
  return isCastellanError(error) && LOG_ERRORS.has(error.code);
}

export function internalFault(error: unknown, did: "judged" | "ran"): Ending {
  const why = errorText(error);
  return textEnding("failed", `Castellan failed while it ${did} this call: ${why.slice(0, 500)}`);
}
