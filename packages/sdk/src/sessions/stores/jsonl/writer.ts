import { dirname } from "node:path";
import { OPEN_FLAGS, type Platform } from "../../../platform/index.ts";
import type { AppendBatch, AppendResult } from "../../../protocol/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { checkBatch, type LogTail } from "../check-batch.ts";
import { heldByLease, storeFailed } from "../store-errors.ts";
import { createGroupFlush } from "./group-flush.ts";
import type { Handles } from "./handles.ts";
import { encodeBatch } from "./log-lines.ts";
import { readTailNow } from "./log-tail.ts";
import { claim } from "./owner.ts";
import type { Place } from "./places.ts";

/** The one writer of a log file. */
export interface Writer {
  /** All is in the file when it returns. @throws `session_busy`, `store_failed`. */
  append(batches: readonly AppendBatch[]): AppendResult[];
  /** Resolves when all that is in the file now would survive a power cut. Calls that wait share a flush. @throws `store_failed`. */
  flush(): Promise<void>;
  /** Resolves when no flush runs. */
  idle(): Promise<void>;
  /**
   * Gives the session to a lease that counts. False: another store took the session over, and this writer is of no use.
   * @throws `session_busy` while it belongs to another one that counts, `store_failed`.
   */
  lend(lease: number): Promise<boolean>;
  /** Closes the file and keeps the claim, for a folder that is about to go. */
  discard(): void;
  /** Closes the file and gives the session free. @throws `store_failed`. */
  close(): void;
}

/** What a writer needs of its store. */
export interface WriterParts {
  readonly platform: Platform;
  readonly handles: Handles;
  /** The store's name in owner files. */
  readonly store: string;
  /** The folder of all projects. */
  readonly root: string;
  /** Whether a lease counts. */
  isLive(lease: number): boolean;
}

/**
 * Claims a session and finds the end of its log. What stands behind the last whole batch is cut off.
 *
 * @param under the lease that it is to belong to; none where that does not count.
 * @throws `session_busy`, `log_corrupt`, `store_failed`.
 */
export async function openWriter(parts: WriterParts, place: Place, under?: number): Promise<Writer> {
  const { platform, handles, isLive } = parts;
  const { fs } = platform;
  const { store } = parts;
  let lease = under !== undefined && isLive(under) ? under : undefined;
  const owner = await claim(platform, place.folder, { store, isNew: place.isNew, lease, isLive });
  let end = 0;
  let tail: LogTail = { seq: 0, batchId: undefined };
  /** Bytes behind `end` may be there. */
  let ragged = true;
  /** A flush failed: what the file holds and what the disk holds may differ for good. */
  let broken: CastellanError | undefined;
  const group = createGroupFlush(flushNow);
  let foldersFlushed = false;

  const openLog = (): number => fs.openSync(place.log, "r+");
  const open = (): number => handles.use(place.log, openLog);

  function mend(descriptor: number, { size, nlink } = fs.fstatSync(descriptor)): void {
    if (nlink === 0) throw gone(place);
    // A claim holds on one machine; over a shared disk only the file itself tells of others.
    if (ragged ? size < end : size !== end) throw foreign(place, end, size);
    if (size !== end) fs.ftruncateSync(descriptor, end);
    ragged = false;
  }

  function write(text: string): void {
    const bytes = Buffer.from(text);
    const descriptor = open();
    mend(descriptor);
    ragged = true;
    let written = 0;
    while (written < bytes.length) {
      written += fs.writeSync(descriptor, bytes, written, bytes.length - written, end + written);
    }
    ragged = false;
    end += bytes.length;
  }

  function append(batches: readonly AppendBatch[]): AppendResult[] {
    if (broken !== undefined) throw broken;
    let text = "";
    let next = tail;
    const answers = batches.map((batch): AppendResult => {
      const answer = checkBatch(batch, next, mayWrite);
      if (answer !== undefined) return answer;
      text += encodeBatch(batch.events, batch.batchId);
      next = { seq: batch.expectedSeq + batch.events.length, batchId: batch.batchId };
      return { ok: true, seq: next.seq };
    });
    if (text !== "") {
      try {
        write(text);
      } catch (error) {
        throw storeFailed(place.log, "Writing to", error);
      }
      tail = next;
    }
    return answers;
  }

  function mayWrite(epoch: number): boolean {
    return lease === epoch && isLive(epoch) && owner.holds();
  }

  async function lend(to: number): Promise<boolean> {
    if (lease === to || !isLive(to)) return true;
    if (lease !== undefined && isLive(lease)) throw heldByLease(place.sessionId, lease);
    if (!owner.holds()) return false;
    await owner.lend(to);
    lease = to;
    return true;
  }

  async function flushNow(): Promise<void> {
    if (broken !== undefined) throw broken;
    const { descriptor, done } = handles.keep(place.log, openLog);
    try {
      await fs.fdatasync(descriptor);
      if (!foldersFlushed) await flushFolders(platform, [place.folder, dirname(place.folder), parts.root]);
      foldersFlushed = true;
    } catch (error) {
      // The system may have thrown away what it could not write: a second try would find nothing to do, and lie.
      broken = storeFailed(place.log, "Flushing", error);
      throw broken;
    } finally {
      done();
    }
  }

  const discard = (): void => handles.drop(place.log);

  function close(): void {
    discard();
    owner.release();
  }

  try {
    if (place.isNew || fs.statSync(place.log, { throwIfNoEntry: false }) === undefined) {
      const made = await fs.open(place.log, OPEN_FLAGS.write | OPEN_FLAGS.create, 0o600);
      await made.close();
    }
    const descriptor = open();
    const stats = fs.fstatSync(descriptor);
    const found = readTailNow(fs, descriptor, stats.size, place.log);
    end = found.end;
    tail = found;
    mend(descriptor, stats);
  } catch (error) {
    close();
    throw storeFailed(place.log, "Opening", error);
  }
  return { append, flush: group.flush, idle: group.idle, lend, discard, close };
}

/** A new file is found again only when its folders are on the disk too. Windows keeps them by itself. */
async function flushFolders({ fs, os }: Platform, folders: readonly string[]): Promise<void> {
  if (os === "win32") return;
  for (const folder of folders) {
    const handle = await fs.open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

function gone({ log }: Place): CastellanError {
  return new CastellanError("store_failed", `The log ${log} was deleted while its session ran.`, {
    subject: log,
    fix: "Start a new session, or restore the file and resume from it.",
  });
}

function foreign({ log }: Place, end: number, size: number): CastellanError {
  return new CastellanError(
    "session_busy",
    `The log ${log} was changed by somebody else: it has ${size} bytes, and this run left it at ${end}.`,
    { subject: log, fix: "End the other run, then resume the session to go on from what is stored." },
  );
}
