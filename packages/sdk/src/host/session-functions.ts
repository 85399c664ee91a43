import { nodePlatform } from "../platform/index.ts";
import type { SDKMessage } from "../protocol/index.ts";
import { defaultHost } from "./default-host.ts";
import { sessionsOf } from "./sessions/sessions-of.ts";
import type {
  ExportSessionOptions,
  ForkedSession,
  ForkSessionOptions,
  ImportedSession,
  ImportSessionOptions,
  ImportSource,
  ListSessionsOptions,
  OverStore,
  PruneReport,
  PruneSessionsOptions,
  SessionInfo,
  SessionMessagesOptions,
  Sessions,
} from "./sessions/types.ts";
import { storeParts } from "./store-parts.ts";

function over<T extends OverStore>(options: T): { sessions: Sessions; rest: Omit<T, keyof OverStore> } {
  const { store, artifacts, ...rest } = options;
  if (store === undefined) return { sessions: defaultHost().sessions, rest };
  const platform = nodePlatform();
  return {
    sessions: sessionsOf({ platform, redact: undefined, ...storeParts(platform, store, artifacts) }),
    rest,
  };
}

/**
 * The sessions of a store, newest first; those that cannot be read are at the end, with their reason.
 *
 * @example
 * ```ts
 * import { listSessions } from "@castellan/sdk";
 *
 * for (const { sessionId, title, firstPrompt, status } of await listSessions({ project: ".", limit: 10 })) {
 *   console.log(sessionId, status, title ?? firstPrompt);
 * }
 * ```
 */
export async function listSessions(
  options: ListSessionsOptions & OverStore = {},
): Promise<readonly SessionInfo[]> {
  const { sessions, rest } = over(options);
  return sessions.list(rest);
}

/** What a listing shows of one session; undefined where there is none of this id. */
export async function getSessionInfo(
  sessionId: string,
  options: OverStore = {},
): Promise<SessionInfo | undefined> {
  return over(options).sessions.info(sessionId);
}

/**
 * The messages of user and assistant in a session, as its iterator gave them, oldest first.
 *
 * Rejects with a CastellanError `session_not_found`, `log_corrupt` or `log_too_new`.
 */
export async function getSessionMessages(
  sessionId: string,
  options: SessionMessagesOptions & OverStore = {},
): Promise<readonly SDKMessage[]> {
  const { sessions, rest } = over(options);
  return sessions.messages(sessionId, rest);
}

/**
 * Gives a session another title, of at most 500 characters. It may run in this process.
 *
 * Rejects with a CastellanError `session_not_found`, or `session_busy` while another process runs it.
 */
export async function renameSession(
  sessionId: string,
  title: string,
  options: OverStore = {},
): Promise<void> {
  return over(options).sessions.rename(sessionId, title);
}

/** Replaces the tags of a session: at most 50 of 1 to 100 characters; null takes them away. Rejects as `renameSession()`. */
export async function tagSession(
  sessionId: string,
  tags: string | readonly string[] | null,
  options: OverStore = {},
): Promise<void> {
  return over(options).sessions.tag(sessionId, tags);
}

/**
 * Deletes a session for good. False: there was none. Its artifacts go with the next `pruneSessions()`.
 *
 * Rejects with a CastellanError `session_busy` while it runs, here or in another process.
 */
export async function deleteSession(sessionId: string, options: OverStore = {}): Promise<boolean> {
  return over(options).sessions.delete(sessionId);
}

/**
 * Copies a session into a new one, whole or up to a message. The original is only read. The copy may do no more than the
 * original: without `keepGrants` nothing comes along that the original was granted on its way.
 *
 * Rejects with a CastellanError `session_not_found`, or `invalid_option` for a message that the session does not hold.
 */
export async function forkSession(
  sessionId: string,
  options: ForkSessionOptions & OverStore = {},
): Promise<ForkedSession> {
  const { sessions, rest } = over(options);
  return sessions.fork(sessionId, rest);
}

/**
 * A session with the artifacts that it reaches, as lines of JSON, each with its newline.
 *
 * Throws a CastellanError `session_not_found` when the first line is asked for.
 *
 * @example
 * ```ts
 * import { createWriteStream } from "node:fs";
 * import { Readable } from "node:stream";
 * import { pipeline } from "node:stream/promises";
 * import { exportSession } from "@castellan/sdk";
 *
 * const sessionId = process.argv[2] ?? "";
 * await pipeline(Readable.from(exportSession(sessionId)), createWriteStream("session.jsonl"));
 * ```
 */
export function exportSession(
  sessionId: string,
  options: ExportSessionOptions & OverStore = {},
): AsyncGenerator<string, void, undefined> {
  const { sessions, rest } = over(options);
  return sessions.export(sessionId, rest);
}

/**
 * Takes in an exported session. It works in `cwd` from now on, owns no process and no file that it tells of, and without
 * `keepGrants` may do nothing without being asked that a new session may not.
 *
 * Rejects with a CastellanError `import_refused`, or `log_too_new` naming the release that can read it.
 */
export async function importSession(
  source: ImportSource,
  options: ImportSessionOptions & OverStore = {},
): Promise<ImportedSession> {
  const { sessions, rest } = over(options);
  return sessions.import(source, rest);
}

/**
 * Deletes old sessions that do not run, and the artifacts that no session reaches.
 *
 * @example
 * ```ts
 * import { pruneSessions } from "@castellan/sdk";
 *
 * const { deleted, artifacts } = await pruneSessions({ olderThanDays: 30, keep: 20 });
 * console.log(deleted.length, artifacts.deleted);
 * ```
 */
export async function pruneSessions(options: PruneSessionsOptions & OverStore): Promise<PruneReport> {
  const { sessions, rest } = over(options);
  return sessions.prune(rest as PruneSessionsOptions);
}
