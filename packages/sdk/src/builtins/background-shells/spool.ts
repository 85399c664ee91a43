import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import { errorText } from "../../protocol/index.ts";

/** Bytes of output kept of one command: the newest. */
export const MOST_SPOOLED: number = 8 * 1024 * 1024;
/** Bytes kept in memory once the file cannot be written. */
const MOST_IN_MEMORY = 64 * 1024;
/** In front of the ring: how much was written to it, so that another process can read it. */
const HEADER = 32;

/** The output of one command as UTF-8, in a file of bounded size whose oldest part is written over. */
export interface Spool {
  readonly path: string;
  /** Bytes that came since the start. */
  total(): number;
  /** Never throws: what the disk refuses is kept in memory, as far as there is room. */
  append(text: string): void;
  /** From a position on. `dropped`: bytes behind it that are gone. */
  read(from: number): SpoolPiece;
  /** Why the file is not written any more. */
  fault(): string | undefined;
  /** Lets go of the file; what it holds can still be read. */
  close(): void;
}

export interface SpoolPiece {
  readonly text: string;
  readonly dropped: number;
}

/**
 * Makes the file. Only the owner may read it.
 *
 * @throws errors of the file system.
 */
export async function createSpool(
  platform: Platform,
  path: string,
  most: number = MOST_SPOOLED,
): Promise<Spool> {
  const { fs } = platform;
  await fs.writeFile(path, header(0), { mode: 0o600, flag: "wx" });
  let descriptor: number | undefined = fs.openSync(path, OPEN_FLAGS.readWrite | OPEN_FLAGS.noFollow);
  let written = 0;
  let problem: string | undefined;
  let memory = Buffer.alloc(0);
  /** Bytes that came after the file had failed, those in `memory` included. */
  let beside = 0;

  function put(bytes: Uint8Array): void {
    if (descriptor === undefined) throw new Error("the file is closed");
    // Of more than fits, only the end would survive.
    const rest = bytes.subarray(Math.max(0, bytes.length - most));
    let position = (written + bytes.length - rest.length) % most;
    for (let done = 0; done < rest.length; ) {
      const length = Math.min(rest.length - done, most - position);
      const count = fs.writeSync(descriptor, rest, done, length, HEADER + position);
      done += count;
      position = (position + count) % most;
    }
    written += bytes.length;
    fs.writeSync(descriptor, Buffer.from(header(written)), 0, HEADER, 0);
  }

  function remember(bytes: Buffer): void {
    beside += bytes.length;
    const joined = Buffer.concat([memory, bytes.subarray(-MOST_IN_MEMORY)]);
    memory = joined.length > MOST_IN_MEMORY ? Buffer.from(joined.subarray(-MOST_IN_MEMORY)) : joined;
  }

  return {
    path,
    total: () => written + beside,
    append(text) {
      const bytes = Buffer.from(text, "utf8");
      if (problem === undefined) {
        try {
          put(bytes);
          return;
        } catch (error) {
          problem = errorText(error);
        }
      }
      remember(bytes);
    },
    read(from) {
      const pieces: Buffer[] = [];
      let dropped = 0;
      if (from < written) {
        const start = Math.max(from, written - most);
        const piece = readRing(platform, path, descriptor, { start, end: written, most });
        dropped += piece === undefined ? written - from : start - from;
        if (piece !== undefined) pieces.push(piece);
      }
      const inMemory = written + beside - memory.length;
      if (from < written + beside && memory.length > 0) {
        dropped += Math.max(0, inMemory - Math.max(from, written));
        pieces.push(memory.subarray(Math.max(0, from - inMemory)));
      }
      return { text: textOf(Buffer.concat(pieces), dropped > 0), dropped };
    },
    fault: () => problem,
    close() {
      if (descriptor !== undefined) fs.closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** What the file of another process holds; undefined when it holds no spool. */
export async function readSpool(
  platform: Platform,
  path: string,
  most: number = MOST_SPOOLED,
): Promise<SpoolPiece | undefined> {
  const flags = OPEN_FLAGS.read | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock;
  const handle = await platform.fs.open(path, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const { buffer } = await handle.read(Buffer.alloc(HEADER), 0, HEADER, 0);
    const found = /^castellan spool (\d{15})\n$/.exec(buffer.toString("latin1"));
    if (found === null) return undefined;
    const end = Number(found[1]);
    const start = Math.max(0, end - most);
    const piece = readRing(platform, path, handle.fd, { start, end, most });
    return piece === undefined ? undefined : { text: textOf(piece, start > 0), dropped: start };
  } finally {
    await handle.close();
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly most: number;
}

/** In one go, so that nothing is written over meanwhile. Undefined: the file is gone or cannot be read. */
function readRing(
  { fs }: Platform,
  path: string,
  open: number | undefined,
  { start, end, most }: Range,
): Buffer | undefined {
  const bytes = Buffer.alloc(end - start);
  let descriptor = open;
  try {
    descriptor ??= fs.openSync(path, OPEN_FLAGS.read | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock);
    for (let done = 0; done < bytes.length; ) {
      const position = (start + done) % most;
      const length = Math.min(bytes.length - done, most - position);
      const count = fs.readSync(descriptor, bytes, done, length, HEADER + position);
      if (count === 0) return undefined;
      done += count;
    }
    return bytes;
  } catch {
    return undefined;
  } finally {
    if (open === undefined && descriptor !== undefined) fs.closeSync(descriptor);
  }
}

function header(total: number): string {
  return `castellan spool ${String(total).padStart(HEADER - 17, "0")}\n`;
}

/** Where the beginning is cut off, it may be in the middle of a character. */
function textOf(bytes: Buffer, isCut: boolean): string {
  let start = 0;
  while (isCut && start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString("utf8", start);
}
