import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import type { FileMark } from "../../protocol/index.ts";

/** Bytes of one file that a checkpoint keeps: as many as Edit and Write change. */
export const MOST_KEPT_BYTES: number = 64 * 1024 * 1024;

/** What stands at a path. */
export interface Look {
  /** Undefined for what is neither a file, a link nor a folder: it is no business of a checkpoint. */
  readonly mark: FileMark | undefined;
  /** Of a file whose mark has a hash. */
  readonly bytes?: Uint8Array;
  readonly stats?: Stats;
}

const CHUNK = 256 * 1024;
export const PERMISSIONS = 0o7777;

/** Looks at a path without following a link at its end. A file of up to `most` bytes is read. */
export async function lookAt(
  platform: Platform,
  path: string,
  most: number = MOST_KEPT_BYTES,
): Promise<Look> {
  const { fs } = platform;
  try {
    const stats = await fs.lstat(path);
    const mode = stats.mode & PERMISSIONS;
    if (stats.isSymbolicLink()) return { mark: { kind: "link", target: await fs.readlink(path) }, stats };
    if (stats.isDirectory()) return { mark: { kind: "directory", mode }, stats };
    if (!stats.isFile()) return { mark: undefined, stats };
    if (stats.size > most) return tooLarge(stats);
    return await readFile(platform, path, most);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { mark: { kind: "missing" } };
    return { mark: { kind: "unkept", why: "unreadable" } };
  }
}

async function readFile(platform: Platform, path: string, most: number): Promise<Look> {
  const flags = OPEN_FLAGS.read | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock;
  const handle = await platform.fs.open(path, flags);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { mark: undefined, stats };
    const bytes = await readUpTo(handle, stats.size, most);
    if (bytes === undefined) return tooLarge(stats);
    const hash = platform.sha256(bytes);
    const mark = { kind: "file", hash, size: bytes.length, mode: stats.mode & PERMISSIONS } as const;
    return { mark, bytes, stats };
  } finally {
    await handle.close();
  }
}

/** A file may grow while it is read. */
async function readUpTo(handle: FileHandle, size: number, most: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let room = size + 1; ; room = CHUNK) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(room), 0, room, null);
    if (bytesRead === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    length += bytesRead;
    if (length > most) return undefined;
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function tooLarge(stats: Stats): Look {
  return { mark: { kind: "unkept", why: "too_large", size: stats.size }, stats };
}

/** Whether two marks are of the same state; what one of them does not know is not compared. */
export function isSameMark(a: FileMark, b: FileMark): boolean {
  if (a.kind === "file" && b.kind === "file") return a.hash === b.hash && isSameMode(a.mode, b.mode);
  if (a.kind === "directory" && b.kind === "directory") return isSameMode(a.mode, b.mode);
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return a.kind === "missing" && b.kind === "missing";
}

function isSameMode(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}
