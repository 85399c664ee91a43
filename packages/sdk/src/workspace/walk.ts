import type { Dirent } from "node:fs";
import type { Platform } from "../platform/index.ts";
import { AbortError, type MayRead } from "../protocol/index.ts";
import { createIgnoreFiles, type IgnoreFiles, type IgnoreLevel, isIgnored } from "./ignore-files.ts";
import { type PathLibrary, pathLibrary } from "./path-rules.ts";

/** Something found in a tree. */
export interface WalkEntry {
  /** Below the root as it was given, absolute. */
  readonly path: string;
  /** Below the root's real path: what may be opened. */
  readonly real: string;
  /** From the root on, with `/`. */
  readonly relative: string;
  readonly kind: "file" | "directory" | "link" | "other";
}

export interface WalkOptions {
  /** The root as it was given and as it really lies; from its resolution. */
  readonly root: { readonly given: string; readonly real: string };
  /** Entries with a leading dot too. Default false. `.git` is never entered. */
  readonly hidden?: boolean;
  /** Ignore files count. Default true. A root that they hide is walked all the same: what hides only the root does not hide its content. */
  readonly ignored?: boolean;
  /** What it refuses is left out, folders with all they hold. Asked about `path`, and `real` where they differ. */
  readonly mayRead?: MayRead;
  readonly signal?: AbortSignal;
  /** Levels below the root; 1 lists the root alone. Default: no limit. */
  readonly depth?: number;
  /** Told of each directory that cannot be read. */
  readonly onUnreadable?: (path: string, code: string) => void;
}

/** Walks a tree. */
export type Walk = (options: WalkOptions) => AsyncGenerator<WalkEntry, void, undefined>;

/**
 * A walker that keeps the ignore files it has read. Entries come folder by folder, each folder's in
 * code-unit order of their names, a directory right before its content. Links are named and never followed.
 *
 * The generator throws AbortError once the signal has fired.
 */
export function createWalk(platform: Pick<Platform, "fs" | "os">): Walk {
  const library = pathLibrary(platform.os);
  const files = createIgnoreFiles(platform.fs, library);
  return (options) => walkTree(platform, library, files, options);
}

interface Folder {
  readonly real: string;
  readonly relative: string;
  readonly levels: readonly IgnoreLevel[];
  readonly depth: number;
}

async function* walkTree(
  platform: Pick<Platform, "fs">,
  library: PathLibrary,
  files: IgnoreFiles,
  options: WalkOptions,
): AsyncGenerator<WalkEntry, void, undefined> {
  const { root, depth: deepest = Number.POSITIVE_INFINITY } = options;
  const obey = options.ignored ?? true;
  const levels = obey ? await files.levelsAbove(root.real) : [];
  // A stack of what is still to come: entries, and folders whose entries are not read yet.
  const ahead: (WalkEntry | Folder)[] = [{ real: root.real, relative: "", levels, depth: 1 }];

  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (options.signal?.aborted === true) throw new AbortError("The walk was aborted.");
    if ("kind" in next) {
      yield next;
      continue;
    }
    const entries = await list(platform, next, options);
    const names = new Set(entries.map((each) => each.name));
    const own = obey ? await files.levelOf(next.real, names) : undefined;
    const inner = own === undefined ? next.levels : [...next.levels, own];
    const found: (WalkEntry | Folder)[] = [];
    for (const each of entries) {
      const entry = look(library, root, next, each);
      if (!isWanted(library, entry, each.name, options, inner)) continue;
      found.push(entry);
      if (entry.kind === "directory" && next.depth < deepest) {
        found.push({ real: entry.real, relative: entry.relative, levels: inner, depth: next.depth + 1 });
      }
    }
    for (const each of found.reverse()) ahead.push(each);
  }
}

async function list(
  { fs }: Pick<Platform, "fs">,
  folder: Folder,
  options: WalkOptions,
): Promise<readonly Dirent[]> {
  try {
    const entries = await fs.readdir(folder.real, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    options.onUnreadable?.(folder.real, (error as NodeJS.ErrnoException).code ?? "UNKNOWN");
    return [];
  }
}

function look(library: PathLibrary, root: WalkOptions["root"], folder: Folder, each: Dirent): WalkEntry {
  const relative = folder.relative === "" ? each.name : `${folder.relative}/${each.name}`;
  const kind = each.isSymbolicLink()
    ? "link"
    : each.isDirectory()
      ? "directory"
      : each.isFile()
        ? "file"
        : "other";
  return {
    path: library.join(root.given, relative),
    real: library.join(folder.real, each.name),
    relative,
    kind,
  };
}

function isWanted(
  library: PathLibrary,
  entry: WalkEntry,
  name: string,
  options: WalkOptions,
  levels: readonly IgnoreLevel[],
): boolean {
  if (name.toLowerCase() === ".git") return false;
  if (name.startsWith(".") && options.hidden !== true) return false;
  if (levels.length > 0 && isIgnored(library, levels, entry.real, entry.kind === "directory")) return false;
  const { mayRead } = options;
  if (mayRead === undefined) return true;
  return mayRead(entry.path) && (entry.real === entry.path || mayRead(entry.real));
}
