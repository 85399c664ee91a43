import ignore, { type Ignore } from "ignore";
import type { FileSystem } from "../platform/index.ts";
import type { PathLibrary } from "./path-rules.ts";

/** Files whose patterns hide others, weakest first. */
const NAMES = [".gitignore", ".ignore"] as const;
/** A pattern file over this size is machine-made; reading it would cost more than it saves. */
const MOST_BYTES = 1_000_000;
const MOST_CACHED = 1_000;

/** The patterns of one directory, for paths below it. */
export interface IgnoreLevel {
  readonly directory: string;
  readonly patterns: Ignore;
}

interface Cached {
  readonly stamp: string;
  readonly text: string;
  readonly patterns: Ignore;
}

/** Reads ignore files and keeps them until they change. */
export interface IgnoreFiles {
  /** The patterns of `directory` itself; undefined where it has none. `names`: its entries, when known. */
  levelOf(directory: string, names?: ReadonlySet<string>): Promise<IgnoreLevel | undefined>;
  /** The patterns that hold for `directory` from above: those of its repository, outermost first. */
  levelsAbove(directory: string): Promise<readonly IgnoreLevel[]>;
}

/** Whether some level hides an entry. The deepest level that says anything is right. */
export function isIgnored(
  library: PathLibrary,
  levels: readonly IgnoreLevel[],
  path: string,
  directory: boolean,
): boolean {
  for (const level of levels.toReversed()) {
    const inside = library.relative(level.directory, path).replaceAll("\\", "/");
    if (!ignore.isPathValid(inside)) continue;
    const answer = level.patterns.test(directory ? `${inside}/` : inside);
    // A folder that a deeper level took back in brings its content with it.
    const parent = inside.slice(0, inside.lastIndexOf("/") + 1);
    const inherited = answer.ignored && parent !== "" && level.patterns.test(parent).ignored;
    if (answer.ignored && !inherited) return true;
    if (answer.unignored) return false;
  }
  return false;
}

/** A reader with a cache of its own; `fs` may be any file system. */
export function createIgnoreFiles(fs: FileSystem, library: PathLibrary): IgnoreFiles {
  const cache = new Map<string, Cached>();

  const read = async (file: string): Promise<Cached | undefined> => {
    const stats = await fs.stat(file).catch(() => undefined);
    if (stats === undefined || !stats.isFile() || stats.size > MOST_BYTES) return undefined;
    const stamp = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const known = cache.get(file);
    if (known?.stamp === stamp) return known;
    const text = await fs.readFile(file, "utf8").catch(() => "");
    const fresh = { stamp, text, patterns: ignore().add(text) };
    if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value ?? "");
    cache.set(file, fresh);
    return fresh;
  };

  const levelOf: IgnoreFiles["levelOf"] = async (directory, names) => {
    const files: string[] = NAMES.filter((name) => names?.has(name) ?? true);
    if (names?.has(".git") ?? true) files.unshift(".git/info/exclude");
    const found = (await Promise.all(files.map((name) => read(library.join(directory, name))))).filter(
      (each) => each !== undefined,
    );
    const [first] = found;
    if (first === undefined) return undefined;
    if (found.length === 1) return { directory, patterns: first.patterns };
    return { directory, patterns: ignore().add(found.map((each) => each.text).join("\n")) };
  };

  const levelsAbove: IgnoreFiles["levelsAbove"] = async (directory) => {
    const folders: string[] = [];
    for (let each = directory; ; each = library.dirname(each)) {
      if (each !== directory) folders.unshift(each);
      const top = await fs.lstat(library.join(each, ".git")).catch(() => undefined);
      if (top !== undefined) break;
      // Outside a repository only the tree itself speaks.
      if (library.dirname(each) === each) return [];
    }
    const levels = await Promise.all(folders.map((folder) => levelOf(folder)));
    return levels.filter((level) => level !== undefined);
  };

  return { levelOf, levelsAbove };
}
