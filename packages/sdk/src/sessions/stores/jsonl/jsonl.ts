import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import { nodePlatform } from "../../../platform/index.ts";
import type { AppendBatch, AppendResult, EventStore, SessionEvent } from "../../../protocol/index.ts";
import { isCastellanError } from "../../../protocol/index.ts";
import { groupBySession } from "../group-by-session.ts";
import { type SessionStore, sessionStore } from "../session-store.ts";
import { closedStore, isMissing, storeFailed } from "../store-errors.ts";
import { keptIn, storeHome } from "../store-home.ts";
import { createTurns } from "../turns.ts";
import { fileApprovals } from "./file-approvals.ts";
import { type FileLeases, fileLeases } from "./file-leases.ts";
import { fileWakes } from "./file-wakes.ts";
import { createHandles } from "./handles.ts";
import { decodeLog } from "./log-lines.ts";
import { readBehind } from "./log-tail.ts";
import { claim, isHeld } from "./owner.ts";
import { createPlaces } from "./places.ts";
import { readSnapshotFile, writeSnapshotFile } from "./snapshot-file.ts";
import { summarise } from "./summaries.ts";
import { openWriter, type Writer } from "./writer.ts";

const OPEN_FILES = 256;

/** Where a JSONL store keeps its files. */
export interface JsonlStoreOptions {
  readonly platform?: Platform;
  /** Default: `CASTELLAN_HOME`, else `~/.castellan`. Sessions lie in `<home>/sessions`. */
  readonly home?: string;
  /** Log files that are open at once; 1 or more, default 256. Sessions beyond that open theirs anew for each write. */
  readonly openFiles?: number;
}

/**
 * The default store: one append-only file a session, `<home>/sessions/<project>/<id>/log.jsonl`, one event a line.
 *
 * Files have mode 0600, folders 0700. The first append claims the session for this store until `release()` or `close()`:
 * another one, here or in another process, gets `session_busy`; a claim of a process that is gone is taken over.
 * Reading never claims. A batch that was cut short by a crash does not count, and is cut off by the next writer.
 * An append that failed leaves nothing behind that counts; what was acknowledged before stays.
 */
export function jsonlStore(options: JsonlStoreOptions = {}): SessionStore {
  const platform = options.platform ?? nodePlatform();
  const home = storeHome(platform, options.home);
  const leases = fileLeases(platform, home);
  return sessionStore(fileEvents(platform, home, leases, options.openFiles ?? OPEN_FILES), {
    leases,
    approvals: fileApprovals(platform, home),
    wakes: fileWakes(platform, home),
  });
}

function fileEvents(platform: Platform, home: string, { isLive }: FileLeases, openFiles: number): EventStore {
  const { fs } = platform;
  const root = join(home, "sessions");
  const places = createPlaces(platform, root);
  const store = platform.ids.short("store");
  const parts = { platform, handles: createHandles(fs, openFiles), store, root, isLive };
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
    if (writer === undefined) return beginWith(sessionId, batches);
    return batches.some(({ epoch }) => epoch !== undefined)
      ? appendUnder(writer, sessionId, batches)
      : writer.append(batches);
  }

  /** One by one, since each may name another lease. */
  async function appendUnder(
    writer: Writer,
    sessionId: string,
    batches: readonly AppendBatch[],
  ): Promise<readonly AppendResult[]> {
    const [batch, ...rest] = batches;
    if (batch === undefined) return [];
    if (batch.epoch !== undefined && !(await writer.lend(batch.epoch))) {
      writers.delete(sessionId);
      writer.discard();
      return appendTo(sessionId, batches);
    }
    const own = writer.append([batch]);
    return [...own, ...(await appendTo(sessionId, rest))];
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
    const under = batches.find(({ epoch }) => epoch !== undefined)?.epoch;
    const writer = await openWriter(parts, place, under);
    writers.set(sessionId, writer);
    return appendTo(sessionId, batches);
  }

  /** The flush begins in the session's turn, so that nobody closes the file before it; others write while it runs. */
  async function appendAll(
    sessionId: string,
    batches: readonly AppendBatch[],
  ): Promise<readonly AppendResult[]> {
    const { answers, flushed } = await turns.take(sessionId, async () => {
      const answers = await appendTo(sessionId, batches);
      const mustFlush = batches.some(({ sync }) => sync) && answers.some(({ ok }) => ok);
      return { answers, flushed: mustFlush ? writers.get(sessionId)?.flush() : undefined };
    });
    await flushed;
    return answers;
  }

  async function read(sessionId: string, afterSeq = 0): Promise<readonly SessionEvent[]> {
    open();
    const place = await places.find(sessionId);
    if (place === undefined) return [];
    try {
      if (afterSeq === 0) return decodeLog(await fs.readFile(place.log), place.log);
      const handle = await fs.open(place.log, "r");
      try {
        return await readBehind(handle, place.log, afterSeq);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isCastellanError(error)) throw error;
      if (isMissing(error)) return [];
      throw storeFailed(place.log, "Reading", error);
    }
  }

  async function release(sessionId: string): Promise<void> {
    const writer = writers.get(sessionId);
    writers.delete(sessionId);
    await writer?.idle();
    writer?.close();
  }

  async function remove(sessionId: string): Promise<boolean> {
    const place = await places.find(sessionId);
    if (place === undefined) return false;
    const writer = writers.get(sessionId);
    writers.delete(sessionId);
    // A log that cannot be read can still be deleted, so a claim is enough.
    if (writer === undefined) await claim(platform, place.folder, { store, isLive });
    else {
      await writer.idle();
      writer.discard();
    }
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
        if (first.sync === true) return appendAll(first.sessionId, batches);
        return turns.take(first.sessionId, () => appendTo(first.sessionId, batches));
      }
      const answers: AppendResult[] = new Array(batches.length);
      const jobs = Array.from(groupBySession(batches), async ([sessionId, indexes]) => {
        const own = indexes.map((at) => batches[at] as AppendBatch);
        const results = await appendAll(sessionId, own);
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
    async readSnapshot(sessionId) {
      open();
      const place = await places.find(sessionId);
      return place === undefined ? undefined : readSnapshotFile(platform, place.folder);
    },
    async writeSnapshot(sessionId, snapshot) {
      open();
      const place = await places.find(sessionId);
      if (place !== undefined) await writeSnapshotFile(platform, place.folder, snapshot);
    },
    async release(sessionId) {
      await turns.take(sessionId, () => release(sessionId));
    },
    async isBusy(sessionId) {
      open();
      const place = writers.has(sessionId) ? undefined : await places.find(sessionId);
      return place === undefined ? writers.has(sessionId) : isHeld(platform, place.folder, { isLive });
    },
    locate: places.locate,
    files: keptIn(home),
    async close() {
      closed = true;
      await turns.idle();
      for (const sessionId of writers.keys()) await release(sessionId);
    },
  };
}

const NOTHING_THERE: AppendResult = { ok: false, code: "conflict", actualSeq: 0 };
