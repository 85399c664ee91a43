import type { Stats } from "node:fs";
import type { FileSystem } from "../../platform/index.ts";
import type { WalkEntry } from "../../workspace/index.ts";

export interface DatedFile {
  readonly path: string;
  readonly changed: number;
}

const AT_ONCE = 64;

/** Regular files by their last change, newest first. A link counts as what it leads to, while that lies below `root`. */
export async function newestFirst(
  fs: FileSystem,
  root: string,
  entries: readonly WalkEntry[],
): Promise<DatedFile[]> {
  const dated: DatedFile[] = [];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const some = entries.slice(start, start + AT_ONCE);
    const found = await Promise.all(some.map((entry) => date(fs, root, entry)));
    dated.push(...found.filter((each) => each !== undefined));
  }
  return dated.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1));
}

async function date(fs: FileSystem, root: string, entry: WalkEntry): Promise<DatedFile | undefined> {
  const stats = await (entry.kind === "link" ? linked(fs, root, entry.real) : fs.lstat(entry.real)).catch(
    () => undefined,
  );
  return stats?.isFile() === true ? { path: entry.path, changed: stats.mtimeMs } : undefined;
}

async function linked(fs: FileSystem, root: string, link: string): Promise<Stats | undefined> {
  const real = await fs.realpath(link);
  return real.startsWith(root === "/" ? root : `${root}/`) ? fs.lstat(real) : undefined;
}
