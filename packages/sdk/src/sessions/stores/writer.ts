import type { FileHandle } from "node:fs/promises";
import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import type { AppendBatch, AppendResult } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { checkBatch, type LogTail } from "./check-batch.ts";
import type { Handles } from "./handles.ts";
import { encodeBatch } from "./log-lines.ts";
import { readTail } from "./log-tail.ts";
import { claim } from "./owner.ts";
import type { Place } from "./places.ts";
import { storeFailed } from "./store-errors.ts";

/** The one writer of a log file. Calls must not overlap. */
export interface Writer {
  append(batches: readonly AppendBatch[]): Promise<AppendResult[]>;
  /** Closes the file and keeps the claim, for a folder that is about to go. */
  discard(): Promise<void>;
  /** Closes the file and gives the session free. */
  close(): Promise<void>;
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
  const owner = await claim(platform, place.folder, parts.store);
  let end = 0;
  let tail: LogTail = { seq: 0, batchId: undefined };
  /** Bytes behind `end` may be there. */
  let ragged = true;

  const open = (flags: string | number) => (): Promise<FileHandle> =>
    platform.fs.open(place.log, flags, 0o600);

  async function mend(handle: FileHandle): Promise<void> {
    const { size, nlink } = await handle.stat();
    if (nlink === 0) throw gone(place);
    // A claim holds on one machine; over a shared disk only the file itself tells of others.
    if (ragged ? size < end : size !== end) throw foreign(place, end, size);
    if (!ragged) return;
    await handle.truncate(end);
    ragged = false;
  }

  async function write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await handles.use(place.log, open("r+"), async (handle) => {
      await mend(handle);
      ragged = true;
      let written = 0;
      while (written < bytes.length) {
        const step = await handle.write(bytes, written, bytes.length - written, end + written);
        written += step.bytesWritten;
      }
      ragged = false;
      end += bytes.length;
    });
  }

  async function append(batches: readonly AppendBatch[]): Promise<AppendResult[]> {
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
        await write(text);
      } catch (error) {
        throw storeFailed(place.log, "Writing to", error);
      }
      tail = next;
    }
    return answers;
  }

  // All was written when it was acknowledged: a failing close loses nothing.
  const discard = (): Promise<void> => handles.drop(place.log).catch(() => {});

  async function close(): Promise<void> {
    await discard();
    await owner.release();
  }

  try {
    await handles.use(place.log, open(OPEN_FLAGS.readWrite | OPEN_FLAGS.create), async (handle) => {
      const found = await readTail(handle, place.log);
      end = found.end;
      tail = found;
      await mend(handle);
    });
  } catch (error) {
    await close();
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
