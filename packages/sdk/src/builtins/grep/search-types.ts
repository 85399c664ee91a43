import type { MayRead } from "../../protocol/index.ts";
import type { JudgedPath } from "../files/judged-path.ts";

export type GrepMode = "files_with_matches" | "content" | "count";

/** What both engines search for. */
export interface SearchRequest {
  readonly root: JudgedPath;
  readonly isFile: boolean;
  /** Ignore files above the root count as well. */
  readonly heedsAbove: boolean;
  readonly mayRead: MayRead;
  readonly pattern: string;
  readonly mode: GrepMode;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly before: number;
  readonly after: number;
  readonly type?: string;
  /** A glob over the name alone that may narrow the walk; `accepts` holds it as well. */
  readonly nameGlob?: string;
  /** Lines of one file, those of the context among them, after which no more of it are wanted. */
  readonly mostLines: number;
  readonly signal: AbortSignal;
  /** Whether a file, relative to the root, counts. For a root that is a file its name is asked for. */
  accepts(relativePath: string): boolean;
  /** Takes a file with matches, files in the order of `comparePaths` in content mode. False: enough. */
  take(hits: FileHits): boolean;
}

/** The matches of one file. */
export interface FileHits {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Matching lines; matches when `multiline`. 0 in `files_with_matches`. */
  readonly count: number;
  /** In `content` only. */
  readonly lines: readonly HitLine[];
}

export interface HitLine {
  /** From 1. */
  readonly number: number;
  /** Cut around its first match, so that the hits of many long lines fit into memory. */
  readonly text: string;
  readonly isMatch: boolean;
  /** The matching parts that begin in this line, without empty ones, each of their lines cut. */
  readonly parts: readonly string[];
}

export type Searched =
  | { readonly ok: true; readonly note?: string }
  | { readonly ok: false; readonly text: string };

/** Name by name, so that a folder's files stand together. */
export function comparePaths(a: string, b: string): number {
  const left = a.replaceAll("/", "\0");
  const right = b.replaceAll("/", "\0");
  return left < right ? -1 : left > right ? 1 : 0;
}
