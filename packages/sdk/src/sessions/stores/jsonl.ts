import { join } from "node:path";
import type { Platform } from "../../platform/index.ts";
import { nodePlatform } from "../../platform/index.ts";
import type { AppendBatch, AppendResult, EventStore, SessionEvent } from "../../protocol/index.ts";
import { createHandles } from "./handles.ts";
import { decodeLog } from "./log-lines.ts";
import { claim } from "./owner.ts";
import { createPlaces } from "./places.ts";
import { closedStore, isMissing, storeFailed } from "./store-errors.ts";
import { storeHome } from "./store-home.ts";
import { summarise } from "./summaries.ts";
import { createTurns } from "./turns.ts";
import { openWriter, type Writer } from "./writer.ts";

const OPEN_FILES = 256;

/** Where a JSONL store keeps its files. */
export interface JsonlStoreOptions {
  readonly platform?: Platform;
  /** Default: `CASTELLAN_HOME`, else `~/.castellan`. Sessions lie in `<home>/sessions`. */
  readonly home?: string;
}

/**
 * The default store: one append-only file a session, `<home>/sessions/<project>/<id>/log.jsonl`, one event a line.
 *
 * Files have mode 0600, folders 0700. The first append claims the session for this store until `release()` or `close()`:
 * another one, here or in another process, gets `session_busy`; a claim of a process that is gone is taken over.
 * Reading never claims. A batch that was cut short by a crash does not count, and is cut off by the next writer.
 * An append that failed leaves nothing behind that counts; what was acknowledged before stays.
 */
export function jsonlStore(options: JsonlStoreOptions = {}): EventStore {
  const platform = options.platform ?? nodePlatform();
  const { fs } = platform;
  const places = createPlaces(platform, join(storeHome(platform, options.home), "sessions"));
  const parts = { platform, handles: createHandles(fs, OPEN_FILES), store: platform.ids.short("store") };
  const writers = new Map<string, Writer>();
  const turns = createTurns();
  let closed = false;

  function open(): void {
    if (closed) throw closedStore();
  }

  function appendTo(
    sessionId: string,
    batches: readonly AppendBatch[],
  ): readonly AppendResult[] | Promise<readonly AppendResult[]> {
    const writer = writers.get(sessionId);
    return writer === undefined ? beginWith(sessionId, batches) : writer.append(batches);
  }

  async function beginWith(
    sessionId: string,
    batches: readonly AppendBatch[],
  ): Promise<readonly AppendResult[]> {
    const beginning = batches.find((batch) => batch.expectedSeq === 0);
    let place = beginning?.fresh === true ? undefined : await places.find(sessionId);
    if (place === undefined) {
      if (beginning === undefined) return batches.map(() => NOTHING_THERE);
      place = await places.make(sessionId, beginning.project);
    }
    const writer = await openWriter(parts, place);
    writers.set(sessionId, writer);
    return writer.append(batches);
  }

  async function read(sessionId: string, afterSeq = 0): Promise<readonly SessionEvent[]> {
    open();
    const place = await places.find(sessionId);
    if (place === undefined) return [];
    let bytes: Buffer;
    try {
      bytes = await fs.readFile(place.log);
    } catch (error) {
      if (isMissing(error)) return [];
      throw storeFailed(place.log, "Reading", error);
    }
    const events = decodeLog(bytes, place.log);
    return afterSeq <= 0 ? events : events.slice(afterSeq);
  }

  function release(sessionId: string): void {
    const writer = writers.get(sessionId);
    writers.delete(sessionId);
    writer?.close();
  }

  async function remove(sessionId: string): Promise<boolean> {
    const place = await places.find(sessionId);
    if (place === undefined) return false;
    const writer = writers.get(sessionId);
    writers.delete(sessionId);
    // A log that cannot be read can still be deleted, so a claim is enough.
    if (writer === undefined) await claim(platform, place.folder, parts.store);
    else writer.discard();
    try {
      await fs.rm(place.folder, { recursive: true, force: true });
    } catch (error) {
      throw storeFailed(place.folder, "Deleting", error);
    }
    return true;
  }

  return {
    async append(batches) {
      open();
      const [first] = batches;
      // The common case: a promise less, and none at all that waits.
      if (first !== undefined && batches.length === 1) {
        return turns.take(first.sessionId, () => appendTo(first.sessionId, batches));
      }
      const answers: AppendResult[] = new Array(batches.length);
      const jobs = Array.from(bySession(batches), async ([sessionId, indexes]) => {
        const own = indexes.map((at) => batches[at] as AppendBatch);
        const results = await turns.take(sessionId, () => appendTo(sessionId, own));
        for (const [i, at] of indexes.entries()) answers[at] = results[i] as AppendResult;
      });
      await Promise.all(jobs);
      return answers;
    },
    read,
    async list(filter = {}) {
      open();
      const found = await summarise(fs, await places.all(filter.project), filter.skipped);
      return found.sort((a, b) => b.updatedAt - a.updatedAt).slice(0, filter.limit);
    },
    async delete(sessionId) {
      open();
      return turns.take(sessionId, () => remove(sessionId));
    },
    async release(sessionId) {
      await turns.take(sessionId, () => release(sessionId));
    },
    locate: places.locate,
    async close() {
      closed = true;
      await turns.idle();
      for (const sessionId of writers.keys()) release(sessionId);
    },
  };
}

const NOTHING_THERE: AppendResult = { ok: false, code: "conflict", actualSeq: 0 };

/** The indexes of each session's batches. */
function bySession(batches: readonly AppendBatch[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [at, { sessionId }] of batches.entries()) {
    const group = groups.get(sessionId);
    if (group === undefined) groups.set(sessionId, [at]);
    else group.push(at);
  }
  return groups;
}
