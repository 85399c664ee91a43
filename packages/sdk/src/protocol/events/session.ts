import type { PermissionMode, RuleSource, SourcedRule } from "../permission.ts";
import type { TodoItem } from "../services/todos.ts";
import type { Envelope } from "./envelope.ts";

/** The first event of every log. */
export type SessionStarted = Envelope<
  "session.started",
  {
    readonly sessionId: string;
    /** Absolute start directory. */
    readonly cwd: string;
    /** The release that wrote it. */
    readonly release: string;
    readonly title?: string;
    /** The session that this one was forked from. */
    readonly parent?: { readonly sessionId: string; readonly seq: number };
  }
>;

/** What a run was set up with. Written at start and at each resume; the last one holds. */
export type SessionConfigured = Envelope<
  "session.configured",
  {
    /** The model's name, as an option could give it again (`scripted:<file>`); `custom` for an object. */
    readonly model: string;
    readonly mode: PermissionMode;
    readonly tools: readonly string[];
    readonly rules: readonly SourcedRule[];
    readonly additionalDirectories: readonly (readonly [path: string, source: RuleSource])[];
    readonly maxTurns?: number;
    /** The release that writes from here on: what a reader that is too old is told to use. */
    readonly release?: string;
    /** The servers of `mcpServers`, by key; absent where there are none. */
    readonly mcpServers?: readonly { readonly name: string; readonly status: string }[];
  }
>;

/** `by` tells who changed it: a control method, an answer of `canUseTool`, a tool. */
export type ModeChanged = Envelope<
  "mode.changed",
  { readonly mode: PermissionMode; readonly prePlanMode?: PermissionMode; readonly by: string }
>;

/** Another model answers from the next request on. `model` as in `session.configured`. */
export type ModelChanged = Envelope<"model.changed", { readonly model: string; readonly by: string }>;

/** After a change, whole: the rules that updates added in this run and before, and the directories of every source. */
export type RulesChanged = Envelope<
  "rules.changed",
  {
    readonly rules: readonly SourcedRule[];
    /** Rules of the options of this run's start that an update took away. */
    readonly removed?: readonly SourcedRule[];
    readonly additionalDirectories: readonly (readonly [path: string, source: RuleSource])[];
    readonly by: string;
  }
>;

/** A person gave the session another name. */
export type SessionRenamed = Envelope<"session.renamed", { readonly title: string }>;

/** The session's tags, whole, in the order in which they were given. */
export type SessionTagged = Envelope<"session.tagged", { readonly tags: readonly string[] }>;

export type TodosChanged = Envelope<"todos.changed", { readonly todos: readonly TodoItem[] }>;

/** The shell's directory after a command that moved it. */
export type CwdChanged = Envelope<"cwd.changed", { readonly cwd: string }>;

/** A file that the model has seen, with the digest of its bytes. */
export type FileSeen = Envelope<
  "file.seen",
  { readonly path: string; readonly digest: string; readonly partial: boolean }
>;
