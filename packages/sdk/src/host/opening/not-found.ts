import { CastellanError } from "../../protocol/index.ts";

/** @returns what to throw where a session is asked for that is not there. */
export function notFound(sessionId: string): CastellanError {
  return new CastellanError("session_not_found", `There is no session ${sessionId} in this store.`, {
    subject: sessionId,
    fix: "Check the id, CASTELLAN_HOME and sessionStore.",
  });
}
