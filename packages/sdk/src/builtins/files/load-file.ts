import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Platform } from "../../platform/index.ts";
import { openResolved } from "../../workspace/index.ts";
import { describeFileError } from "./describe-file-error.ts";
import type { JudgedPath } from "./judged-path.ts";

/** A file as it stood when it was opened. */
export interface LoadedFile {
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes` in hex. */
  readonly digest: string;
  readonly stats: Stats;
}

export type Loaded =
  | { readonly kind: "file"; readonly file: LoadedFile }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly text: string };

/** Files above this are not read into memory. */
export const MOST_BYTES: number = 64 * 1024 * 1024;
const CHUNK = 256 * 1024;

/** Reads the file that was judged, whole. Everything that is no regular file is refused unopened. */
export async function loadFile(platform: Platform, path: JudgedPath): Promise<Loaded> {
  try {
    const found = await platform.fs.lstat(path.real).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (found === undefined) return { kind: "missing" };
    const wrong = wrongKind(found, path.given);
    if (wrong !== undefined) return { kind: "refused", text: wrong };
    return await readOpened(platform, path);
  } catch (error) {
    return { kind: "refused", text: describeFileError(error, path.given) };
  }
}

async function readOpened(platform: Platform, path: JudgedPath): Promise<Loaded> {
  const handle = await openResolved(platform.fs, path, "r");
  try {
    const stats = await handle.stat();
    const wrong = wrongKind(stats, path.given);
    if (wrong !== undefined) return { kind: "refused", text: wrong };
    const bytes = await readBounded(handle, stats.size);
    if (bytes === undefined)
      return { kind: "refused", text: tooLarge(path.given, `over ${MOST_BYTES / (1024 * 1024)}`) };
    return { kind: "file", file: { bytes, digest: platform.sha256(bytes), stats } };
  } finally {
    await handle.close();
  }
}

/**
 * Files of the kernel tell no size, and some of them never end; others grow while they are read. So `size` is only how
 * much is read at first: a byte more, to see the end of a file that stands still.
 */
async function readBounded(handle: FileHandle, size: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let room = size > 0 ? size + 1 : CHUNK; ; room = CHUNK) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(room), 0, room, null);
    if (bytesRead === 0) {
      const [only] = chunks;
      return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    }
    length += bytesRead;
    if (length > MOST_BYTES) return undefined;
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function wrongKind(stats: Stats, path: string): string | undefined {
  if (stats.isDirectory()) {
    return `${path} is a directory, not a file. List it with LS, or find files in it with Glob.`;
  }
  if (stats.isCharacterDevice() || stats.isBlockDevice()) {
    return `${path} is a device file. It has no end or waits for input, so it is not opened.`;
  }
  if (stats.isFIFO()) return `${path} is a named pipe. Reading it could wait for ever, so it is not opened.`;
  if (stats.isSocket()) return `${path} is a socket, which cannot be read as a file.`;
  if (!stats.isFile()) return `${path} is no regular file, so it is not opened.`;
  if (stats.size > MOST_BYTES) {
    return tooLarge(path, String(Math.ceil(stats.size / (1024 * 1024))));
  }
  return undefined;
}

function tooLarge(path: string, size: string): string {
  const most = MOST_BYTES / (1024 * 1024);
  return `${path} is too large: ${size} MiB, and at most ${most} MiB are read. Look at a part of it with Grep, or with head, tail or sed in Bash.`;
}
