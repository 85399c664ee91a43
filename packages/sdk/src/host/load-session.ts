import type { EventStore } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { emptyState, fold, type SessionState } from "../sessions/index.ts";
import type { Options } from "./options/types.ts";

/** Which log to write, and what it holds already. `fresh` logs are empty. */
export interface LoadedSession {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly fresh: boolean;
}

/**
 * Finds the session that the options name, or starts a new one.
 *
 * @throws CastellanError `session_not_found`, `log_corrupt` or `log_too_new`; `invalid_option`
 * when `sessionId` names a session that is there already.
 */
export async function loadSession(
  options: Options,
  store: EventStore,
  newId: string,
  cwd: string,
): Promise<LoadedSession> {
  const resume = options.resume ?? (options.continue === true ? await newest(store, cwd) : undefined);
  if (resume !== undefined) {
    const events = await store.read(resume);
    if (events.length === 0) {
      throw new CastellanError("session_not_found", `There is no session ${resume} in this store.`, {
        subject: resume,
        fix: "Check the id, CASTELLAN_HOME and sessionStore.",
      });
    }
    return { sessionId: resume, state: fold(events), fresh: false };
  }
  if (options.sessionId !== undefined && (await store.read(newId)).length > 0) {
    throw new CastellanError("invalid_option", `options.sessionId names session ${newId}, which exists.`, {
      subject: "sessionId",
      fix: "Use resume to go on with it, or another id.",
    });
  }
  return { sessionId: newId, state: emptyState(), fresh: true };
}

async function newest(store: EventStore, cwd: string): Promise<string | undefined> {
  const [first] = await store.list({ project: cwd, limit: 1 });
  return first?.sessionId;
}
