import type { FileHandle } from "node:fs/promises";
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
 * Finds the end of a log without reading it whole: from behind, in growing pieces.
 *
 * @throws `log_corrupt`, with file and line.
 */
export async function readTail(handle: FileHandle, file: string): Promise<FileTail> {
  const { size } = await handle.stat();
  for (let length = Math.min(size, CHUNK); ; length = Math.min(size, length * 4)) {
    const from = size - length;
    const bytes = await readAt(handle, from, length);
    const found = await lastMark(bytes, from, () => explain(handle, size, file));
    if (found !== undefined) return found;
    if (from === 0) return EMPTY;
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

async function lastMark(
  bytes: Buffer,
  from: number,
  explain: () => Promise<void>,
): Promise<FileTail | undefined> {
  let end = bytes.lastIndexOf(NEWLINE);
  while (end !== -1) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1);
    // The line may begin in front of this piece.
    if (before === -1 && from > 0) return undefined;
    let line: LogLine;
    try {
      line = decodeLine(bytes.subarray(before + 1, end), "", 0);
    } catch (error) {
      await explain();
      throw error;
    }
    const { event, batchId } = line;
    if (batchId !== undefined) return { end: from + end + 1, seq: event.seq, batchId, ts: event.ts };
    end = before;
  }
  return undefined;
}

/** Throws with the number of the bad line, which takes reading from the start. */
async function explain(handle: FileHandle, size: number, file: string): Promise<void> {
  decodeLog(await readAt(handle, 0, size), file);
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
