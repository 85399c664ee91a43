import type {
  ArtifactStore,
  EventStore,
  PermissionMode,
  ResultSubtype,
  SDKMessage,
  Store,
} from "../../protocol/index.ts";

/**
 * `running`: a run of it is on, here or in another process. `unfinished`: it stopped in the middle, and a resume
 * goes on there. `done` and `failed`: how its last user turn ended. `empty`: nothing was asked yet. `unreadable`: see
 * `problem`.
 */
export type SessionStatus = "running" | "unfinished" | "done" | "failed" | "empty" | "unreadable";

/** What a listing shows of a session. */
export interface SessionInfo {
  readonly sessionId: string;
  /** The start directory that it is filed under. Empty where it cannot be read. */
  readonly project: string;
  /** Epoch milliseconds of the first and the last event; 0 where they cannot be read. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How many events its log holds. */
  readonly events: number;
  readonly status: SessionStatus;
  readonly title?: string;
  /** The first message of its user, on one line, cut at 200 characters. */
  readonly firstPrompt?: string;
  readonly tags: readonly string[];
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  /** US dollars since its start, as far as prices were known. */
  readonly costUsd?: number;
  /** At least one answer came without a price. */
  readonly costUnknown?: boolean;
  /** How its last user turn ended. */
  readonly outcome?: ResultSubtype;
  /** Why it cannot be read: the code of an error, and its text. */
  readonly problem?: { readonly code: string; readonly message: string };
  /** Where its log is, for stores that keep files. */
  readonly log?: string;
}

/** Which sessions are listed. */
export interface ListSessionsOptions {
  /** Only those of this start directory, absolute or relative to that of the process. Default: all. */
  readonly project?: string;
  /** Only those with all of these tags. */
  readonly tags?: readonly string[];
  /** The newest so many. Sessions that cannot be read stand behind them, and are always listed. Default: all. */
  readonly limit?: number;
}

/** Which messages of a session are given. */
export interface SessionMessagesOptions {
  /** How many are left out at the beginning. Default 0. */
  readonly offset?: number;
  /** The most that are given. Default: all. */
  readonly limit?: number;
  /** Also results, denials and all else that is not a message of user or assistant. Default false. */
  readonly includeSystem?: boolean;
}

/** How a fork is made. */
export interface ForkSessionOptions {
  /** The `uuid` of the last message that comes along. Default: all. */
  readonly upTo?: string;
  /** Default: the title of the original. */
  readonly title?: string;
  /** A UUID for the fork. Default: a new one. */
  readonly sessionId?: string;
  /** What the original was granted on its way comes along: allow rules, directories, rules that were taken away. Default false. */
  readonly keepGrants?: boolean;
}

/** A session that was made out of another. */
export interface ForkedSession {
  readonly sessionId: string;
}

/** How a session is exported. */
export interface ExportSessionOptions {
  /** False: the artifacts stay behind, and large results of tools with them. Default true. */
  readonly artifacts?: boolean;
}

/** How a session is taken in. */
export interface ImportSessionOptions {
  /** The directory that it works in from now on; it must exist when the session is resumed. Default: that of the process. */
  readonly cwd?: string;
  /**
   * Rules, mode and directories of the export count here as well, and a model that is an address or a script. Default
   * false: it may do nothing without being asked, and goes on with the model of a new session.
   */
  readonly keepGrants?: boolean;
  /** The most bytes that are read. Default 1 GB (1,000,000,000). */
  readonly maxBytes?: number;
}

/** What an import came to. */
export interface ImportedSession {
  /** That of the export, or a new one where the store has a session of this id already. */
  readonly sessionId: string;
  readonly isNewId: boolean;
  readonly events: number;
  readonly artifacts: number;
}

/** Which sessions are deleted. */
export interface PruneSessionsOptions {
  /** Those whose last event is older than so many days. */
  readonly olderThanDays: number;
  /** The newest so many stay, however old they are. Default 0. */
  readonly keep?: number;
  /** Only those of this start directory. Default: all. */
  readonly project?: string;
  /** Tells what would be deleted, and deletes nothing. Default false. */
  readonly dryRun?: boolean;
  /** Artifacts that no session reaches are deleted when nobody has put them for so long. Default 60 minutes. */
  readonly artifactGraceMs?: number;
}

/** What pruning came to. */
export interface PruneReport {
  /** Ids of the sessions that were deleted, or with `dryRun` would be. */
  readonly deleted: readonly string[];
  /** Old ones that stayed, and why: they run, wait for an approval or a timer, or could not be deleted. */
  readonly left: readonly { readonly sessionId: string; readonly reason: string }[];
  readonly artifacts: {
    /** How many were deleted, or would be. */
    readonly deleted: number;
    /** Why none were looked at: a log cannot be read, or the store cannot tell how old they are. */
    readonly skipped?: string;
  };
}

/** What is known of sessions, and what can be done with them while they do not run. */
export interface Sessions {
  /** Newest first. Sessions that cannot be read are at the end, with their reason. */
  list(options?: ListSessionsOptions): Promise<readonly SessionInfo[]>;
  /** Undefined: there is no such session. */
  info(sessionId: string): Promise<SessionInfo | undefined>;
  /** The messages of user and assistant, as the iterator gave them. @throws `session_not_found`, `log_corrupt`, `log_too_new` */
  messages(sessionId: string, options?: SessionMessagesOptions): Promise<readonly SDKMessage[]>;
  /** A run of this process may be on; one of another makes it `session_busy`. @throws `session_not_found` */
  rename(sessionId: string, title: string): Promise<void>;
  /** Replaces all tags; null takes them away. @throws as `rename()` */
  tag(sessionId: string, tags: string | readonly string[] | null): Promise<void>;
  /** False: there was none. @throws `session_busy` while it runs */
  delete(sessionId: string): Promise<boolean>;
  /** Copies a session, which is only read. @throws `session_not_found`; `invalid_option` for a message that it does not hold */
  fork(sessionId: string, options?: ForkSessionOptions): Promise<ForkedSession>;
  /**
   * The session as lines of JSON, each with its newline. Throws `session_not_found` at the first one, and
   * `artifact_invalid` for an artifact that it refers to and that is damaged or gone.
   */
  export(sessionId: string, options?: ExportSessionOptions): AsyncGenerator<string, void, undefined>;
  /** @throws `import_refused` for what is no whole export of a release that this one can read; nothing is stored then */
  import(source: ImportSource, options?: ImportSessionOptions): Promise<ImportedSession>;
  prune(options: PruneSessionsOptions): Promise<PruneReport>;
}

/** An export: its text or bytes, whole or in pieces. */
export type ImportSource = string | Uint8Array | AsyncIterable<string | Uint8Array> | Iterable<string>;

/** For the top-level functions: the store that is meant. */
export interface OverStore {
  /** Default: that of the default host, `~/.castellan`. */
  readonly store?: EventStore | Store;
  /** Artifacts of a store that is only an event store. */
  readonly artifacts?: ArtifactStore;
}
