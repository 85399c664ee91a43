import type { FileHandle } from "node:fs/promises";
import type { FileSystem } from "../../../platform/index.ts";
import type { SessionEvent } from "../../../protocol/index.ts";
import { decodeLine, decodeLog, type LogLine } from "./log-lines.ts";

const NEWLINE = 10;
const CHUNK = 64 * 1024;

/** The end of the last whole batch of a log file. */
export interface FileTail {
  /** Bytes up to and with the batch's last line; what stands behind was never acknowledged. */
  readonly end: number;
  readonly seq: number;
  readonly batchId: string | undefined;
  /** `ts` of the last event; 0 for an empty log. */
  readonly ts: number;
}

const EMPTY: FileTail = { end: 0, seq: 0, batchId: undefined, ts: 0 };

/**
 * Finds the end of a log without reading it whole: from behind, in growing pieces. Synchronous: for a writer,
 * whose log was read just before.
 *
 * @throws `log_corrupt`, with file and line.
 */
export function readTailNow(
  fs: Pick<FileSystem, "readSync">,
  descriptor: number,
  size: number,
  file: string,
): FileTail {
  for (let length = Math.min(size, CHUNK); length > 0; length = Math.min(size, length * 4)) {
    const from = size - length;
    const bytes = readNow(fs, descriptor, from, length);
    let found: FileTail | undefined;
    try {
      found = lastMark(bytes, from);
    } catch (error) {
      // Throws with the number of the bad line, which takes reading from the start.
      decodeLog(readNow(fs, descriptor, 0, size), file);
      throw error;
    }
    if (found !== undefined) return found;
    if (from === 0) break;
  }
  return EMPTY;
}

/**
 * The same for a listing, which reads many logs.
 *
 * @throws `log_corrupt`, which does not name the place.
 */
export async function readTail(handle: FileHandle): Promise<FileTail> {
  const { size } = await handle.stat();
  for (let length = Math.min(size, CHUNK); length > 0; length = Math.min(size, length * 4)) {
    const from = size - length;
    const found = lastMark(await readAt(handle, from, length), from);
    if (found !== undefined) return found;
    if (from === 0) break;
  }
  return EMPTY;
}

/**
 * The events behind `after`, read from the end of the file in growing pieces: it costs what they are, however long the
 * log is before them.
 *
 * @throws `log_corrupt`, with file and line.
 */
export async function readBehind(handle: FileHandle, file: string, after: number): Promise<SessionEvent[]> {
  const { size } = await handle.stat();
  for (let length = Math.min(size, CHUNK); length < size; length = Math.min(size, length * 4)) {
    const bytes = await readAt(handle, size - length, length);
    const events = eventsBehind(bytes, file, after);
    if (events !== undefined) return events;
  }
  return decodeLog(await readAt(handle, 0, size), file, after);
}

/** Undefined where a piece of a log does not reach back so far, or cannot be read without what stands before it. */
function eventsBehind(bytes: Buffer, file: string, after: number): SessionEvent[] | undefined {
  const start = bytes.indexOf(NEWLINE) + 1;
  const end = bytes.indexOf(NEWLINE, start);
  if (start === 0 || end === -1) return undefined;
  try {
    const { seq } = decodeLine(bytes.subarray(start, end), file, 0).event;
    return seq > after ? undefined : decodeLog(bytes.subarray(start), file, after, seq);
  } catch {
    // What is wrong with it is told with the right number once the whole file was looked at.
    return undefined;
  }
}

/** The first event of a log; undefined while no line is complete. */
export async function readHead(handle: FileHandle, file: string): Promise<LogLine | undefined> {
  const { size } = await handle.stat();
  for (let length = Math.min(size, CHUNK); ; length = Math.min(size, length * 4)) {
    const bytes = await readAt(handle, 0, length);
    const end = bytes.indexOf(NEWLINE);
    if (end !== -1) return decodeLine(bytes.subarray(0, end), file, 1);
    if (length === size) return undefined;
  }
}

/** The last whole batch in a piece of a log; undefined: its last line begins in front of the piece, or there is none. */
function lastMark(bytes: Buffer, from: number): FileTail | undefined {
  let end = bytes.lastIndexOf(NEWLINE);
  while (end !== -1) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1);
    if (before === -1 && from > 0) return undefined;
    const { event, batchId } = decodeLine(bytes.subarray(before + 1, end), "", 0);
    if (batchId !== undefined) return { end: from + end + 1, seq: event.seq, batchId, ts: event.ts };
    end = before;
  }
  return undefined;
}

function readNow(
  { readSync }: Pick<FileSystem, "readSync">,
  descriptor: number,
  position: number,
  length: number,
): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(descriptor, bytes, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
