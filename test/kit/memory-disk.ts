import type { Dirent, Stats } from "node:fs";
import { posix } from "node:path";
import type { FileSystem } from "../../packages/sdk/src/platform/index.ts";

/** What stands at a path: a directory, a file, or a link and where it leads. */
type Entry = { readonly kind: "directory" | "file" } | { readonly kind: "link"; readonly to: string };

/**
 * A disk that only answers questions: files and links by absolute path, `-> target` for a link, and the
 * directories above them. Nothing else exists. What is not a question throws.
 */
export function memoryDisk(
  directories: readonly string[],
  files: Readonly<Record<string, string>>,
): FileSystem {
  const entries = new Map<string, Entry>([["/", { kind: "directory" }]]);
  const addDirectory = (path: string): void => {
    for (let each = posix.resolve(path); each !== "/"; each = posix.dirname(each)) {
      if (!entries.has(each)) entries.set(each, { kind: "directory" });
    }
  };
  for (const [path, content] of Object.entries(files)) {
    addDirectory(posix.dirname(path));
    const target = /^-> (.*)$/s.exec(content)?.[1];
    entries.set(path, target === undefined ? { kind: "file" } : { kind: "link", to: target });
  }
  for (const path of directories) addDirectory(path);

  const lstat = (path: string): Entry => {
    const real = posix.join(follow(posix.dirname(path), 0), posix.basename(path));
    const entry = entries.get(real);
    if (entry === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    return entry;
  };
  const follow = (path: string, links: number): string => {
    if (links > 40) throw Object.assign(new Error(`ELOOP: ${path}`), { code: "ELOOP" });
    let current = "/";
    for (const name of path.split("/").filter(Boolean)) {
      const next = posix.join(current, name);
      const entry = entries.get(next);
      if (entry === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
      current = entry.kind === "link" ? follow(posix.resolve(current, entry.to), links + 1) : next;
    }
    return current;
  };
  const listed = (path: string): Dirent[] => {
    const folder = follow(path, 0);
    return [...entries]
      .filter(([each]) => each !== "/" && posix.dirname(each) === folder)
      .map(
        ([each, entry]) => ({ name: posix.basename(each), parentPath: folder, ...kindOf(entry) }) as Dirent,
      );
  };
  const stat = (path: string): Stats => statsOf(lstat(follow(path, 0)));
  const answers = {
    lstat: async (path: string) => statsOf(lstat(path)),
    lstatSync: (path: string) => statsOf(lstat(path)),
    stat: async (path: string) => stat(path),
    statSync: stat,
    realpath: async (path: string) => follow(path, 0),
    realpathSync: (path: string) => follow(path, 0),
    readdir: async (path: string) => listed(path),
    opendir: async (path: string) => listed(path),
    readlink: async (path: string) => {
      const entry = lstat(path);
      if (entry.kind !== "link") throw Object.assign(new Error(`EINVAL: ${path}`), { code: "EINVAL" });
      return entry.to;
    },
  };
  return new Proxy(answers as unknown as FileSystem, {
    get: (target, name) => {
      if (name in target) return target[name as keyof FileSystem];
      throw new Error(`The disk of a case is only looked at; it has no ${String(name)}.`);
    },
  });
}

function kindOf(entry: Entry): Record<string, () => boolean> {
  const no = (): boolean => false;
  return {
    isDirectory: () => entry.kind === "directory",
    isFile: () => entry.kind === "file",
    isSymbolicLink: () => entry.kind === "link",
    isCharacterDevice: no,
    isBlockDevice: no,
  };
}

function statsOf(entry: Entry): Stats {
  return { dev: 1, ino: 1, ...kindOf(entry) } as unknown as Stats;
}
