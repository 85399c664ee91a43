import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import type { AppendBatch, AppendResult } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { checkBatch, type LogTail } from "./check-batch.ts";
import type { Handles } from "./handles.ts";
import { encodeBatch } from "./log-lines.ts";
import { readTailNow } from "./log-tail.ts";
import { claim } from "./owner.ts";
import type { Place } from "./places.ts";
import { storeFailed } from "./store-errors.ts";

/** The one writer of a log file. */
export interface Writer {
  /** All is in the file when it returns. @throws `session_busy`, `store_failed`. */
  append(batches: readonly AppendBatch[]): AppendResult[];
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
}

/**
 * Claims a session and finds the end of its log. What stands behind the last whole batch is cut off.
 *
 * @throws `session_busy`, `log_corrupt`, `store_failed`.
 */
export async function openWriter(parts: WriterParts, place: Place): Promise<Writer> {
  const { platform, handles } = parts;
  const { fs } = platform;
  const owner = await claim(platform, place.folder, parts.store, place.isNew);
  let end = 0;
  let tail: LogTail = { seq: 0, batchId: undefined };
  /** Bytes behind `end` may be there. */
  let ragged = true;

  const open = (): number => handles.use(place.log, () => fs.openSync(place.log, "r+"));

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
    let text = "";
    let next = tail;
    const answers = batches.map((batch): AppendResult => {
      const answer = checkBatch(batch, next);
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
  return { append, discard, close };
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
