import type { ShellAnalysis, ShellLink } from "./shell-analysis.ts";

/** What a call touches, as its tool declares it. Rules match targets, never a pattern over JSON. */
export type Target =
  | CommandTarget
  | PathTarget
  | { readonly kind: "host"; readonly host?: string; readonly port?: number; readonly via?: "shell" }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string }
  | { readonly kind: "agent"; readonly type: string }
  | { readonly kind: "name"; readonly value: string };

/** One simple command of a line; all targets of one line share its analysis. */
export interface CommandTarget {
  readonly kind: "command";
  readonly analysis: ShellAnalysis;
  readonly command: number;
}

/**
 * `list` names a directory whose entries are shown, `walk` a tree that is read through,
 * `remove` a path that is deleted or moved away. `list` and `walk` count as reads, `remove` as a write.
 */
export type PathAccess = "read" | "write" | "remove" | "walk" | "list";

/** A file or directory. Relative paths start at `from`, or at the working directory of the session. */
export interface PathTarget {
  readonly kind: "path";
  readonly access: PathAccess;
  readonly path: string;
  /** `path` is a shell pattern. */
  readonly glob?: true;
  /** The value is not known before the line runs; `path` is its raw text. */
  readonly unknown?: true;
  /** Possible start directories, each relative to the shell's current directory. Absent: that directory itself. */
  readonly from?: readonly string[];
  readonly recursive?: true;
  /** Relative paths start at the root of the git repository around each of `from`, not at `from` itself. */
  readonly base?: "repository";
  /** The shell command that touches it, and how. Absent for file tools. */
  readonly shell?: { readonly command: number; readonly by: "redirect" | "operand" | "input" };
  /** Of one that is `unknown`: places that it may mean among others, relative to the shell's current directory. */
  readonly maybe?: readonly string[];
  /** Links that the same line may have made by the time this is touched. */
  readonly links?: readonly ShellLink[];
  /**
   * A tool that leaves out what it may not read (Grep, Glob, LS) says so:
   * a denied path below the root then does not make the walk itself ask.
   */
  readonly filtered?: true;
}

/** A name on the disk that writes must not touch unasked, with what kind it is. */
export interface ProtectedName {
  /** The component, as the table spells it: `.git`, `.bashrc`, `.github/workflows`. */
  readonly name: string;
  /** A file that holds rules, hooks or servers: only an Edit rule that names it in full lifts the check. */
  readonly loaded: boolean;
  /** It belongs to a store: a log, a decision about a call, a key. `name` is its path. */
  readonly kept?: true;
}

/** A path after every look at the disk that a decision needs. `decide()` itself looks at nothing. */
export interface PathResolution {
  /** Absolute and lexically clean, links not followed. */
  readonly given: string;
  /** Absolute, links followed; through the deepest existing parent when the target is missing. Absent: it could not be resolved. */
  readonly real?: string;
  /** Every intermediate form on the way from `given` to `real`, both left out. */
  readonly hops: readonly string[];
  readonly exists: boolean;
  /** Both `given` and `real` lie in a working directory (start or added). */
  readonly inside: boolean;
  readonly protected?: ProtectedName;
  /** Why it may not be touched unasked although no protected name is in it: device, control characters, `...`, bare-repository names. */
  readonly suspicious?: string;
  /** For removals: a root, a system directory, the home, the working directory or an ancestor of one. */
  readonly removesRoot?: string;
  /** A protected name inside a tree that is copied, moved or removed; its name is `*` when the tree is too large to tell. */
  readonly holds?: ProtectedName;
  /** Device and inode of what was judged, so that a tool can prove that it opened the same thing. */
  readonly identity?: { readonly dev: number; readonly ino: number };
  readonly directory?: boolean;
}

export interface ResolvedPathTarget extends PathTarget {
  /** One for each start directory. When `unknown`, one for each of `maybe`: it may mean another place. */
  readonly resolutions: readonly PathResolution[];
  /** A link that the same line makes may lie on the way, so that nobody can tell what is touched. */
  readonly linked?: true;
}

export interface ResolvedCommandTarget extends CommandTarget {
  /**
   * Of a command that `needs` "git-trusted": the root of the repository that git would take from where the shell
   * stands, links followed. Absent where that is not known for certain: none upward, a folder on the way that looks
   * like another one, a variable of the environment that points elsewhere.
   */
  readonly repository?: string;
}

export type ResolvedTarget =
  | Exclude<Target, PathTarget | CommandTarget>
  | ResolvedCommandTarget
  | ResolvedPathTarget;
