import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import type { JudgedPath } from "./judged-path.ts";

/**
 * Replaces a file by a new one of the same owner and mode, in one step. False when that is not
 * possible here; then nothing has changed.
 */
export async function swapIn(
  platform: Platform,
  path: JudgedPath,
  bytes: Uint8Array,
  before: Stats,
): Promise<boolean> {
  const { fs } = platform;
  if (await isMoved(platform, path)) return false;
  const temporary = join(dirname(path.real), `.${platform.ids.short("castellan")}.tmp`);
  const flags = OPEN_FLAGS.write | OPEN_FLAGS.create | OPEN_FLAGS.exclusive | OPEN_FLAGS.noFollow;
  const handle = await fs.open(temporary, flags, 0o600).catch(() => undefined);
  if (handle === undefined) return false;
  let done = false;
  try {
    if (!(await fill(handle, bytes, before))) return false;
    if ((await isChanged(platform, path, before)) || (await isMoved(platform, path))) return false;
    await fs.rename(temporary, path.real);
    done = true;
    return true;
  } finally {
    if (!done) await fs.rm(temporary, { force: true });
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array, before: Stats): Promise<boolean> {
  try {
    if (!(await takeOwnerAndMode(handle, before))) return false;
    await handle.writeFile(bytes);
    return true;
  } finally {
    await handle.close();
  }
}

/** Some file systems know neither: a file there cannot be replaced by one that is like it. */
async function takeOwnerAndMode(handle: FileHandle, before: Stats): Promise<boolean> {
  try {
    const own = await handle.stat();
    if (own.uid !== before.uid || own.gid !== before.gid) await handle.chown(before.uid, before.gid);
    await handle.chmod(before.mode & 0o7777);
    return true;
  } catch {
    return false;
  }
}

/** Whether another file, or a newer content, stands there than the one that was read. */
export async function isChanged(platform: Platform, path: JudgedPath, before: Stats): Promise<boolean> {
  const now = await platform.fs.lstat(path.real);
  return (
    now.dev !== before.dev ||
    now.ino !== before.ino ||
    now.size !== before.size ||
    now.mtimeMs !== before.mtimeMs
  );
}

/** Whether a directory on the way has become a link since the path was judged. */
async function isMoved(platform: Platform, path: JudgedPath): Promise<boolean> {
  const folder = dirname(path.real);
  return (await platform.fs.realpath(folder)) !== folder;
}
