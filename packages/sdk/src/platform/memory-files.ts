import type { Dirent, Stats } from "node:fs";
import { posix } from "node:path";
import type { FileSystem } from "./port.ts";

/** What stands at a path: a directory, a file with its text, or a link and where it leads. */
type Entry =
  | { readonly kind: "directory" }
  | { readonly kind: "file"; readonly text: string }
  | { readonly kind: "link"; readonly to: string };

/** As many links as Linux follows. */
const MOST_LINKS = 40;

/**
 * A disk in memory that only answers questions. Nothing exists on it but what is named here and the directories
 * above. What would change it throws.
 *
 * @param directories absolute.
 * @param files text by absolute path; `-> target` is a link, and a relative target starts at the link's folder.
 */
export function memoryFiles(
  directories: readonly string[],
  files: Readonly<Record<string, string>>,
): FileSystem {
  const entries = entriesOf(directories, files);
  const found = (path: string): Entry => {
    const folder = follow(entries, posix.dirname(path));
    if (entries.get(folder)?.kind !== "directory") throw fault("ENOTDIR", path);
    const entry = entries.get(posix.join(folder, posix.basename(path)));
    if (entry === undefined) throw fault("ENOENT", path);
    return entry;
  };
  const lstat = (path: string): Stats => statsOf(found(path));
  const real = (path: string): string => follow(entries, path);
  const stat = (path: string): Stats => statsOf(found(real(path)));
  const listed = (path: string): Dirent[] => {
    const folder = real(path);
    if (entries.get(folder)?.kind !== "directory") throw fault("ENOTDIR", path);
    return [...entries]
      .filter(([each]) => each !== "/" && posix.dirname(each) === folder)
      .map(
        ([each, entry]) => ({ name: posix.basename(each), parentPath: folder, ...kindOf(entry) }) as Dirent,
      );
  };
  const answers = {
    lstat: async (path: string) => lstat(path),
    lstatSync: lstat,
    stat: async (path: string) => stat(path),
    statSync: stat,
    realpath: async (path: string) => real(path),
    realpathSync: real,
    readdir: async (path: string, options?: { readonly withFileTypes?: boolean }) =>
      options?.withFileTypes === true ? listed(path) : listed(path).map(({ name }) => name),
    opendir: async (path: string) => listed(path),
    readlink: async (path: string) => {
      const entry = found(path);
      if (entry.kind !== "link") throw fault("EINVAL", path);
      return entry.to;
    },
    readFile: async (path: string) => {
      const entry = found(real(path));
      if (entry.kind !== "file") throw fault("EISDIR", path);
      return entry.text;
    },
  };
  return new Proxy(answers as unknown as FileSystem, {
    get: (target, name) => {
      if (Object.hasOwn(target, name)) return target[name as keyof FileSystem];
      // It is no promise, and nothing that a symbol asks for.
      if (typeof name === "symbol" || name === "then") return undefined;
      return () => {
        throw new Error(`A disk in memory is only looked at; it has no ${name}.`);
      };
    },
  });
}

function entriesOf(
  directories: readonly string[],
  files: Readonly<Record<string, string>>,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>([["/", { kind: "directory" }]]);
  for (const [given, text] of Object.entries(files)) {
    const to = /^-> (.*)$/s.exec(text)?.[1];
    entries.set(posix.resolve(given), to === undefined ? { kind: "file", text } : { kind: "link", to });
  }
  for (const path of [...directories, ...Object.keys(files).map((each) => posix.dirname(each))]) {
    for (let each = posix.resolve(path); each !== "/"; each = posix.dirname(each)) {
      if (!entries.has(each)) entries.set(each, { kind: "directory" });
    }
  }
  return entries;
}

/** The path without links. @throws ENOENT, ENOTDIR, ELOOP */
function follow(entries: ReadonlyMap<string, Entry>, path: string): string {
  let links = 0;
  let current = "/";
  const rest = path.split("/").filter(Boolean).reverse();
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === "." || name === "..") {
      if (name === "..") current = posix.dirname(current);
      continue;
    }
    if (entries.get(current)?.kind === "file") throw fault("ENOTDIR", path);
    const next = posix.join(current, name);
    const entry = entries.get(next);
    if (entry === undefined) throw fault("ENOENT", path);
    if (entry.kind !== "link") {
      current = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw fault("ELOOP", path);
    if (entry.to.startsWith("/")) current = "/";
    rest.push(...entry.to.split("/").filter(Boolean).reverse());
  }
  return current;
}

function fault(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
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
  const size = entry.kind === "file" ? entry.text.length : 0;
  return { dev: 1, ino: 1, size, ...kindOf(entry) } as unknown as Stats;
}
