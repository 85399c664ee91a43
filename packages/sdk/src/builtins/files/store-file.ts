import type { FileHandle } from "node:fs/promises";
import type { Platform } from "../../platform/index.ts";
import { makeParents, openResolved } from "../../workspace/index.ts";
import { describeFileError } from "./describe-file-error.ts";
import type { JudgedPath } from "./judged-path.ts";
import type { LoadedFile } from "./load-file.ts";
import { isChanged, swapIn } from "./swap-in.ts";

export type Stored = { readonly ok: true } | { readonly ok: false; readonly text: string };

const WRITABLE = 2;

/**
 * Makes a new file, and the directories above it. Fails when anything stands there by now. A file
 * that could not be written whole is taken away again.
 */
export async function createFile(platform: Platform, path: JudgedPath, bytes: Uint8Array): Promise<Stored> {
  return storing(path, async () => {
    await makeParents(platform.fs, path);
    const handle = await openResolved(platform.fs, path, "wx");
    const own = await handle.stat();
    try {
      await writeAndClose(handle, bytes);
    } catch (error) {
      const there = await platform.fs.lstat(path.real).catch(() => undefined);
      if (there?.dev === own.dev && there.ino === own.ino) await platform.fs.rm(path.real, { force: true });
      throw error;
    }
    return { ok: true };
  });
}

/**
 * Replaces the content of a file and keeps its mode and owner. `before` is what was read of it.
 *
 * A file of several links is written in place, so that all of them see the change. So is one
 * whose directory takes no new file or whose owner or mode cannot be given to one. Any other is
 * replaced in one step: readers see the old bytes or the new ones. When the disk is full the old
 * content stays.
 */
export async function replaceFile(
  platform: Platform,
  path: JudgedPath,
  bytes: Uint8Array,
  before: LoadedFile,
): Promise<Stored> {
  return storing(path, async () => {
    await platform.fs.access(path.real, WRITABLE);
    if (before.stats.nlink === 1 && (await swapIn(platform, path, bytes, before.stats))) return { ok: true };
    if (await isChanged(platform, path, before.stats)) return moved(path);
    const handle = await openResolved(platform.fs, path, "r+");
    try {
      return await overwrite(handle, path, bytes, before.bytes);
    } finally {
      await handle.close();
    }
  });
}

/** Writes in place. What makes the file longer goes first: there a full disk shows, and nothing is lost yet. */
async function overwrite(
  handle: FileHandle,
  path: JudgedPath,
  bytes: Uint8Array,
  old: Uint8Array,
): Promise<Stored> {
  try {
    await writeAt(handle, bytes.subarray(old.length), old.length);
    await writeAt(handle, bytes.subarray(0, old.length), 0);
    await handle.truncate(bytes.length);
    return { ok: true };
  } catch (error) {
    try {
      await writeAt(handle, old, 0);
      await handle.truncate(old.length);
    } catch {
      const why = describeFileError(error, path.given);
      return { ok: false, text: `${why} It was written in part, and its old content could not be put back.` };
    }
    throw error;
  }
}

/** One write may take less than all of it, for instance where the disk is almost full. */
async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function writeAndClose(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
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
