import { dirname } from "node:path";
import { OPEN_FLAGS, type Platform } from "../../../platform/index.ts";
import type { AppendBatch, AppendResult } from "../../../protocol/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { checkBatch, type LogTail } from "../check-batch.ts";
import { heldByLease, storeFailed } from "../store-errors.ts";
import { createGroupFlush, type GroupFlush } from "./group-flush.ts";
import type { Handles } from "./handles.ts";
import { encodeBatch } from "./log-lines.ts";
import { readTailNow } from "./log-tail.ts";
import { claim, type Owner } from "./owner.ts";
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
  const { platform, isLive, store } = parts;
  const { fs } = platform;
  const lease = under !== undefined && isLive(under) ? under : undefined;
  const owner = await claim(platform, place.folder, { store, isNew: place.isNew, lease, isLive });
  const writer = new LogWriter(parts, place, owner, lease);
  try {
    if (place.isNew || fs.statSync(place.log, { throwIfNoEntry: false }) === undefined) {
      const made = await fs.open(place.log, OPEN_FLAGS.write | OPEN_FLAGS.create, 0o600);
      await made.close();
    }
    writer.open();
  } catch (error) {
    writer.close();
    throw storeFailed(place.log, "Opening", error);
  }
  return writer;
}

/** A class: a session that waits holds one, and methods on a prototype cost it nothing. */
class LogWriter implements Writer {
  readonly #parts: WriterParts;
  readonly #place: Place;
  readonly #owner: Owner;
  #lease: number | undefined;
  #end = 0;
  #tail: LogTail = NO_TAIL;
  /** Bytes behind `end` may be there. */
  #isRagged = true;
  /** A flush failed: what the file holds and what the disk holds may differ for good. */
  #broken: CastellanError | undefined;
  /** Made for the first flush: most sessions wait for none. */
  #group: GroupFlush | undefined;
  #areFoldersFlushed = false;

  constructor(parts: WriterParts, place: Place, owner: Owner, lease: number | undefined) {
    this.#parts = parts;
    this.#place = place;
    this.#owner = owner;
    this.#lease = lease;
  }

  /** Finds the end of the log. */
  open(): void {
    const { fs } = this.#parts.platform;
    const descriptor = this.#use();
    const stats = fs.fstatSync(descriptor);
    const found = readTailNow(fs, descriptor, stats.size, this.#place.log);
    this.#end = found.end;
    this.#tail = found;
    this.#mend(descriptor, stats);
  }

  append(batches: readonly AppendBatch[]): AppendResult[] {
    if (this.#broken !== undefined) throw this.#broken;
    let text = "";
    let next = this.#tail;
    const mayWrite = (epoch: number): boolean => this.#mayWrite(epoch);
    const answers = batches.map((batch): AppendResult => {
      const answer = checkBatch(batch, next, mayWrite);
      if (answer !== undefined) return answer;
      text += encodeBatch(batch.events, batch.batchId);
      next = { seq: batch.expectedSeq + batch.events.length, batchId: batch.batchId };
      return { ok: true, seq: next.seq };
    });
    if (text !== "") {
      try {
        this.#write(text);
      } catch (error) {
        throw storeFailed(this.#place.log, "Writing to", error);
      }
      this.#tail = next;
    }
    return answers;
  }

  flush(): Promise<void> {
    this.#group ??= createGroupFlush(() => this.#flushNow());
    return this.#group.flush();
  }

  async idle(): Promise<void> {
    await this.#group?.idle();
  }

  async lend(to: number): Promise<boolean> {
    const { isLive } = this.#parts;
    if (this.#lease === to || !isLive(to)) return true;
    if (this.#lease !== undefined && isLive(this.#lease)) {
      throw heldByLease(this.#place.sessionId, this.#lease);
    }
    if (!this.#owner.holds()) return false;
    await this.#owner.lend(to);
    this.#lease = to;
    return true;
  }

  discard(): void {
    this.#parts.handles.drop(this.#place.log);
  }

  close(): void {
    this.discard();
    this.#owner.release();
  }

  #use(): number {
    const { log } = this.#place;
    return this.#parts.handles.use(log, () => this.#openLog());
  }

  #openLog(): number {
    return this.#parts.platform.fs.openSync(this.#place.log, "r+");
  }

  #mend(descriptor: number, { size, nlink } = this.#parts.platform.fs.fstatSync(descriptor)): void {
    const end = this.#end;
    if (nlink === 0) throw gone(this.#place);
    // A claim holds on one machine; over a shared disk only the file itself tells of others.
    if (this.#isRagged ? size < end : size !== end) throw foreign(this.#place, end, size);
    if (size !== end) this.#parts.platform.fs.ftruncateSync(descriptor, end);
    this.#isRagged = false;
  }

  #write(text: string): void {
    const { fs } = this.#parts.platform;
    const bytes = Buffer.from(text);
    const descriptor = this.#use();
    this.#mend(descriptor);
    this.#isRagged = true;
    let written = 0;
    while (written < bytes.length) {
      written += fs.writeSync(descriptor, bytes, written, bytes.length - written, this.#end + written);
    }
    this.#isRagged = false;
    this.#end += bytes.length;
  }

  #mayWrite(epoch: number): boolean {
    return this.#lease === epoch && this.#parts.isLive(epoch) && this.#owner.holds();
  }

  async #flushNow(): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    const { handles, platform, root } = this.#parts;
    const { log } = this.#place;
    const { descriptor, done } = handles.keep(log, () => this.#openLog());
    try {
      await platform.fs.fdatasync(descriptor);
      if (!this.#areFoldersFlushed) await flushFolders(platform, foldersOf(this.#place, root));
      this.#areFoldersFlushed = true;
    } catch (error) {
      // The system may have thrown away what it could not write: a second try would find nothing to do, and lie.
      this.#broken = storeFailed(log, "Flushing", error);
      throw this.#broken;
    } finally {
      done();
    }
  }
}

const NO_TAIL: LogTail = { seq: 0, batchId: undefined };

/** All that a first session may have made; what holds the home itself is not ours. */
function foldersOf({ folder }: Place, root: string): readonly string[] {
  return [folder, dirname(folder), root, dirname(root)];
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
