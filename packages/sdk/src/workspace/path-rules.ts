import { posix, win32 } from "node:path";

/** How paths are written on one system. */
export type PathLibrary = typeof posix;

/** The path functions of a system, whichever this process runs on. */
export function pathLibrary(os: NodeJS.Platform): PathLibrary {
  return os === "win32" ? win32 : posix;
}

/** The names of an absolute path, the root left out. `.` and empty ones are dropped, `..` stays. */
export function namesOf(library: PathLibrary, path: string): string[] {
  const { root } = library.parse(path);
  const separators = library.sep === "\\" ? /[\\/]/ : "/";
  return path
    .slice(root.length)
    .split(separators)
    .filter((name) => name !== "" && name !== ".");
}

/** The part of `path` below `directory`: `""` for the directory itself, undefined when it lies elsewhere. */
export function below(library: PathLibrary, directory: string, path: string): string | undefined {
  if (path === directory) return "";
  const start = directory.endsWith(library.sep) ? directory : directory + library.sep;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}
