import type { FileHandle } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { type FileSystem, OPEN_FLAGS } from "../platform/index.ts";
import { CastellanError, type PathResolution } from "../protocol/index.ts";

/** `r` read, `r+` read and write, `w` write from the start, `a` append, `wx` make a file that must not be there. */
export type OpenMode = "r" | "r+" | "w" | "a" | "wx";

const ACCESS: Readonly<Record<OpenMode, number>> = {
  r: OPEN_FLAGS.read,
  "r+": OPEN_FLAGS.readWrite,
  w: OPEN_FLAGS.write,
  a: OPEN_FLAGS.write | OPEN_FLAGS.append,
  wx: OPEN_FLAGS.write,
};
const NEW_FILE = OPEN_FLAGS.create | OPEN_FLAGS.exclusive;

/**
 * Opens the very file that was judged. A link at its place is not followed, and a file is emptied
 * only after it has proved to be the judged one. A file that was missing is made new, in a folder
 * that is still no link.
 *
 * @param mode permission bits of a new file, default 0o666 less the umask.
 * @throws CastellanError `path_changed` when something else stands there now. Errors of the file
 *   system (`ENOENT`, `EACCES` …) pass as they are.
 */
export async function openResolved(
  fs: FileSystem,
  resolution: PathResolution,
  flags: OpenMode,
  mode?: number,
): Promise<FileHandle> {
  const { real, identity } = resolution;
  if (real === undefined) {
    throw changed(resolution.given, "its links could not be followed");
  }
  return identity === undefined
    ? openMissing(fs, real, flags, mode)
    : openExisting(fs, real, identity, flags);
}

/** Makes the missing folders above a file that is to be made, and proves that none of them became a link. */
export async function makeParents(fs: FileSystem, resolution: PathResolution): Promise<void> {
  const { real, given } = resolution;
  if (real === undefined) throw changed(given, "its links could not be followed");
  const parent = directoryOf(real);
  await proveNoLink(fs, parent);
  await fs.mkdir(parent, { recursive: true });
  await proveNoLink(fs, parent);
}

async function openExisting(
  fs: FileSystem,
  real: string,
  identity: { readonly dev: number; readonly ino: number },
  flags: OpenMode,
): Promise<FileHandle> {
  if (flags === "wx") {
    throw Object.assign(new Error(`EEXIST: file already exists, open '${real}'`), {
      code: "EEXIST",
      path: real,
    });
  }
  // Without `nonBlock` a pipe would hold us until somebody opens its other end.
  const handle = await openAt(fs, real, ACCESS[flags] | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock);
  try {
    const stats = await handle.stat();
    if (stats.dev !== identity.dev || stats.ino !== identity.ino)
      throw changed(real, "another file stands there");
    if (flags === "w") await handle.truncate(0);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openMissing(
  fs: FileSystem,
  real: string,
  flags: OpenMode,
  mode: number | undefined,
): Promise<FileHandle> {
  if (flags === "r" || flags === "r+") {
    const handle = await openAt(fs, real, ACCESS[flags] | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock);
    await handle.close();
    throw changed(real, "it was missing then and is there now");
  }
  await proveNoLink(fs, directoryOf(real));
  const handle = await openAt(fs, real, ACCESS[flags] | NEW_FILE | OPEN_FLAGS.noFollow, mode);
  try {
    await proveNoLink(fs, directoryOf(real));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openAt(fs: FileSystem, path: string, flags: number, mode?: number): Promise<FileHandle> {
  try {
    return await fs.open(path, flags, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") throw changed(path, "a link stands there", error);
    if (code === "EEXIST") throw changed(path, "it was missing then and is there now", error);
    throw error;
  }
}

/** The judged path has no links, so none of the folders above it may be one. A missing one proves nothing yet. */
async function proveNoLink(fs: FileSystem, folder: string): Promise<void> {
  for (let each = folder; ; each = directoryOf(each)) {
    const stats = await fs.lstat(each).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (stats?.isSymbolicLink() === true) throw changed(each, "a link stands there");
    if (directoryOf(each) === each) return;
  }
}

function directoryOf(path: string): string {
  return (path.startsWith("/") ? posix : win32).dirname(path);
}

function changed(path: string, what: string, cause?: unknown): CastellanError {
  return new CastellanError("path_changed", `${path} is not what was judged: ${what}.`, {
    subject: path,
    fix: "Call the tool again, so that the path is judged as it is now.",
    ...(cause !== undefined && { cause }),
  });
}
