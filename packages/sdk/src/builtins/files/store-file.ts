import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import { makeParents, openResolved } from "../../workspace/index.ts";
import { describeFileError } from "./describe-file-error.ts";
import type { JudgedPath } from "./judged-path.ts";

export type Stored = { readonly ok: true } | { readonly ok: false; readonly text: string };

const WRITABLE = 2;

/** Makes a new file, and the directories above it. Fails when anything stands there by now. */
export async function createFile(platform: Platform, path: JudgedPath, bytes: Uint8Array): Promise<Stored> {
  return storing(path, async () => {
    await makeParents(platform.fs, path);
    await writeAndClose(await openResolved(platform.fs, path, "wx"), bytes);
    return { ok: true };
  });
}

/**
 * Replaces the content of a file and keeps its mode and owner. `before` is what was read of it.
 *
 * A file of several links is written in place, so that all of them see the change. So is one
 * whose directory takes no new file or whose owner cannot be given to one. Any other is replaced
 * in one step: readers see the old bytes or the new ones.
 */
export async function replaceFile(
  platform: Platform,
  path: JudgedPath,
  bytes: Uint8Array,
  before: Stats,
): Promise<Stored> {
  return storing(path, async () => {
    await platform.fs.access(path.real, WRITABLE);
    if (before.nlink === 1 && (await swapIn(platform, path, bytes, before))) return { ok: true };
    if (await isChanged(platform, path, before)) return moved(path);
    const handle = await openResolved(platform.fs, path, "r+");
    try {
      await handle.write(bytes, 0, bytes.length, 0);
      await handle.truncate(bytes.length);
    } finally {
      await handle.close();
    }
    return { ok: true };
  });
}

/** False when no such replacement is possible here; then nothing has changed. */
async function swapIn(
  platform: Platform,
  path: JudgedPath,
  bytes: Uint8Array,
  before: Stats,
): Promise<boolean> {
  const { fs } = platform;
  const temporary = join(dirname(path.real), `.${platform.ids.short("castellan")}.tmp`);
  const flags = OPEN_FLAGS.write | OPEN_FLAGS.create | OPEN_FLAGS.exclusive | OPEN_FLAGS.noFollow;
  const handle = await fs.open(temporary, flags, 0o600).catch(() => undefined);
  if (handle === undefined) return false;
  let done = false;
  try {
    const isOwned = await takeOwner(handle, before);
    if (isOwned) await handle.chmod(before.mode & 0o7777);
    await writeAndClose(handle, bytes);
    if (!isOwned || (await isChanged(platform, path, before)) || (await isMoved(platform, path)))
      return false;
    await fs.rename(temporary, path.real);
    done = true;
    return true;
  } finally {
    if (!done) await fs.rm(temporary, { force: true });
  }
}

async function takeOwner(handle: FileHandle, before: Stats): Promise<boolean> {
  const own = await handle.stat();
  if (own.uid === before.uid && own.gid === before.gid) return true;
  return handle.chown(before.uid, before.gid).then(
    () => true,
    () => false,
  );
}

async function writeAndClose(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

/** Whether another file, or a newer content, stands there than the one that was read. */
async function isChanged(platform: Platform, path: JudgedPath, before: Stats): Promise<boolean> {
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

function moved(path: JudgedPath): Stored {
  return { ok: false, text: `${path.given} changed while it was being written. Read it again, then repeat.` };
}

async function storing(path: JudgedPath, work: () => Promise<Stored>): Promise<Stored> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      return { ok: false, text: `${path.given} exists by now. Read it first, then repeat.` };
    }
    return { ok: false, text: describeFileError(error, path.given) };
  }
}
