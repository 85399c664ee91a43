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

/** What a session is looked for with. */
export interface LoadParts {
  readonly options: Pick<Options, "resume" | "continue" | "sessionId">;
  readonly store: EventStore;
  /** The id of the session if it is a new one. */
  readonly newId: string;
  /** `continue` takes the newest session of this directory. */
  readonly cwd: string;
  /** Called before the log is read, so that nobody writes it between the reading and the writing. May throw. */
  claim(sessionId: string): void;
}

/**
 * Finds the session that the options name, or starts a new one.
 *
 * @throws CastellanError `session_not_found`, `log_corrupt` or `log_too_new`; `invalid_option`
 * when `sessionId` names a session that is there already; and what `claim` throws.
 */
export async function loadSession(parts: LoadParts): Promise<LoadedSession> {
  const { options, store, newId, claim } = parts;
  const resume = options.resume ?? (options.continue === true ? await newest(parts) : undefined);
  claim(resume ?? newId);
  if (resume !== undefined) return { sessionId: resume, state: await recorded(store, resume), fresh: false };
  if (options.sessionId !== undefined && (await store.read(newId)).length > 0) {
    throw new CastellanError("invalid_option", `options.sessionId is "${newId}", a session that exists.`, {
      subject: "sessionId",
      fix: "Use resume to go on with it, or another id.",
    });
  }
  return { sessionId: newId, state: emptyState(), fresh: true };
}

async function recorded(store: EventStore, sessionId: string): Promise<SessionState> {
  const events = await store.read(sessionId);
  if (events.length === 0) {
    throw new CastellanError("session_not_found", `There is no session ${sessionId} in this store.`, {
      subject: sessionId,
      fix: "Check the id, CASTELLAN_HOME and sessionStore.",
    });
  }
  const state = fold(events);
  if (state.sessionId === sessionId && state.cwd !== "") return state;
  const what =
    state.sessionId === "" ? "does not begin with session.started" : `is that of ${state.sessionId}`;
  throw new CastellanError("log_corrupt", `The log of session ${sessionId} ${what}.`, {
    subject: sessionId,
    fix: "Restore the log, or start a new session.",
  });
}

async function newest({ store, cwd }: LoadParts): Promise<string | undefined> {
  const [first] = await store.list({ project: cwd, limit: 1 });
  return first?.sessionId;
}
