import type { Platform } from "../../platform/index.ts";
import type { ArtifactStore, EventStore, SessionEvent } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { emptyState, fold, readSession, type SessionState } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import { VERSION } from "../version.ts";
import { notFound } from "./not-found.ts";

/** Which log to write, and what it holds already. */
export interface LoadedSession {
  readonly sessionId: string;
  readonly state: SessionState;
  /** How far the last snapshot reaches; 0 where there is none. */
  readonly snapshotSeq: number;
  /** The log is empty. */
  readonly fresh: boolean;
  /** The id was made here, for this session. */
  readonly isNewId: boolean;
  /** A fork: everything in `state`, which is not in the store yet. */
  readonly copied?: readonly SessionEvent[];
}

/** What a session is looked for with. */
export interface LoadParts {
  readonly options: Pick<
    Options,
    "resume" | "continue" | "sessionId" | "forkSession" | "resumeSessionAt" | "title"
  >;
  readonly store: EventStore;
  readonly artifacts: ArtifactStore;
  readonly platform: Pick<Platform, "clock" | "ids" | "sha256">;
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
  // A log is never cut: going on from within one is going on in a copy.
  const isFork =
    (options.forkSession === true || options.resumeSessionAt !== undefined) && resume !== undefined;
  claim(isFork ? newId : (resume ?? newId));
  if (resume !== undefined && !isFork) {
    const read = await readSession(store, resume, { release: VERSION, sha256: parts.platform.sha256 });
    if (read === undefined) throw notFound(resume);
    const { state, snapshotSeq } = read;
    return { sessionId: resume, state, snapshotSeq, fresh: false, isNewId: false };
  }
  if (options.sessionId !== undefined && (await store.read(newId)).length > 0) {
    throw new CastellanError("invalid_option", `options.sessionId is "${newId}", a session that exists.`, {
      subject: "sessionId",
      fix: "Use resume to go on with it, or another id.",
    });
  }
  const own = { sessionId: newId, isNewId: options.sessionId === undefined, snapshotSeq: 0 };
  if (resume === undefined) return { ...own, state: emptyState(), fresh: true };
  const { copyOf } = await import("./copy-session.ts");
  const copied = await copyOf(resume, parts);
  return { ...own, state: fold(copied), fresh: false, copied };
}

/** One that cannot be read may have been the newest: whoever gets an older one must know. */
async function newest({ store, cwd, notify }: LoadParts): Promise<string | undefined> {
  const skipped = (problem: string): void => notify("warning", problem);
  const [first] = await store.list({ project: cwd, limit: 1, skipped });
  return first?.sessionId;
}
