import type { Platform } from "../../platform/index.ts";
import type { EventStore, SessionEvent } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { emptyState, fold, forkEvents, type SessionState } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import { VERSION } from "../version.ts";

/** Which log to write, and what it holds already. */
export interface LoadedSession {
  readonly sessionId: string;
  readonly state: SessionState;
  /** The log is empty. */
  readonly fresh: boolean;
  /** The id was made here, for this session. */
  readonly isNewId: boolean;
  /** A fork: everything in `state`, which is not in the store yet. */
  readonly copied?: readonly SessionEvent[];
}

/** What a session is looked for with. */
export interface LoadParts {
  readonly options: Pick<Options, "resume" | "continue" | "sessionId" | "forkSession" | "title">;
  readonly store: EventStore;
  readonly platform: Pick<Platform, "clock" | "ids">;
  /** The id of the session if it is a new one. */
  readonly newId: string;
  /** `continue` takes the newest session of this directory. */
  readonly cwd: string;
  /** Called before the log is read, so that nobody writes it between the reading and the writing. May throw. */
  claim(sessionId: string): void;
  /** For people. Must not throw. */
  notify(level: "warning", message: string): void;
}

/**
 * Finds the session that the options name, copies it, or starts a new one.
 *
 * @throws CastellanError `session_not_found`, `log_corrupt` or `log_too_new`; `invalid_option`
 * when `sessionId` names a session that is there already; and what `claim` throws.
 */
export async function loadSession(parts: LoadParts): Promise<LoadedSession> {
  const { options, store, newId, claim } = parts;
  const resume = options.resume ?? (options.continue === true ? await newest(parts) : undefined);
  const isFork = options.forkSession === true && resume !== undefined;
  claim(isFork ? newId : (resume ?? newId));
  if (resume !== undefined && !isFork) {
    const state = foldOf(await recorded(store, resume), resume);
    return { sessionId: resume, state, fresh: false, isNewId: false };
  }
  if (options.sessionId !== undefined && (await store.read(newId)).length > 0) {
    throw new CastellanError("invalid_option", `options.sessionId is "${newId}", a session that exists.`, {
      subject: "sessionId",
      fix: "Use resume to go on with it, or another id.",
    });
  }
  const own = { sessionId: newId, isNewId: options.sessionId === undefined };
  if (resume === undefined) return { ...own, state: emptyState(), fresh: true };
  const copied = await copyOf(resume, parts);
  return { ...own, state: fold(copied), fresh: false, copied };
}

/** Nobody has to let go of the original: it is only read. */
async function copyOf(original: string, parts: LoadParts): Promise<readonly SessionEvent[]> {
  const { options, store, newId, platform } = parts;
  const events = await recorded(store, original);
  const { clock, ids } = platform;
  const own = {
    sessionId: newId,
    release: VERSION,
    title: options.title,
    id: () => ids.uuid(),
    now: clock.now(),
  };
  return forkEvents(events, foldOf(events, original), own);
}

async function recorded(store: EventStore, sessionId: string): Promise<readonly SessionEvent[]> {
  const events = await store.read(sessionId);
  if (events.length === 0) {
    throw new CastellanError("session_not_found", `There is no session ${sessionId} in this store.`, {
      subject: sessionId,
      fix: "Check the id, CASTELLAN_HOME and sessionStore.",
    });
  }
  return events;
}

function foldOf(events: readonly SessionEvent[], sessionId: string): SessionState {
  const state = fold(events);
  if (state.sessionId === sessionId && state.cwd !== "") return state;
  const what =
    state.sessionId === "" ? "does not begin with session.started" : `is that of ${state.sessionId}`;
  throw new CastellanError("log_corrupt", `The log of session ${sessionId} ${what}.`, {
    subject: sessionId,
    fix: "Restore the log, or start a new session.",
  });
}

/** One that cannot be read may have been the newest: whoever gets an older one must know. */
async function newest({ store, cwd, notify }: LoadParts): Promise<string | undefined> {
  const skipped = (problem: string): void => notify("warning", problem);
  const [first] = await store.list({ project: cwd, limit: 1, skipped });
  return first?.sessionId;
}
