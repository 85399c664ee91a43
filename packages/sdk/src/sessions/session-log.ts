import type { Platform } from "../platform/index.ts";
import type { EventData, EventStore, Recorder, SessionEvent, SessionEventType } from "../protocol/index.ts";
import { CastellanError, EVENT_TYPES } from "../protocol/index.ts";
import { appendBatch } from "./append-batch.ts";
import { apply } from "./apply.ts";
import { type Redact, redacted, withMarks } from "./redact.ts";
import { createResting } from "./resting.ts";
import type { SnapshotParts } from "./snapshot.ts";
import { createSnapshotKeeper } from "./snapshot-keeper.ts";
import type { SessionState } from "./state.ts";
import { emptyState } from "./state.ts";

/** What a session log is made of. */
export interface SessionLogParts {
  readonly store: EventStore;
  readonly platform: Pick<Platform, "clock" | "ids">;
  readonly sessionId: string;
  /** The label under which the store lists the session: its start directory. */
  readonly project: string;
  /** The fold of what the store holds already. Default: a new session. */
  readonly state?: SessionState;
  /** The end of `state` that is not in the store yet: it is written with the first barrier, whole or not at all. Default: none. */
  readonly unwritten?: readonly SessionEvent[];
  /** The id was made for this very session: nothing is stored under it. */
  readonly isNewId?: boolean;
  /**
   * Takes out of each event what must not be recorded. The state of this run keeps it, the log never has it: a resume
   * works with what was recorded.
   */
  readonly redact?: Redact | undefined;
  /** Keeps snapshots; `seq` is how far the last one reaches. Default: none are kept. */
  readonly snapshots?: SnapshotParts & { readonly seq: number };
  /** The lease of the worker that writes: each append names it. */
  readonly epoch?: number | undefined;
  /** Told of each event in the very call that records it, after the state has moved. It must not throw. */
  onEvent?(event: SessionEvent, state: SessionState): void;
}

/** The one writer of a session: it gives events their envelope, moves the state and writes at barriers. */
export interface SessionLog extends Recorder {
  readonly state: SessionState;
  /**
   * For a session that waits for long: writes what there is, then lets go of `state.messages` until `wake()`. Does
   * nothing where the log holds less than the state.
   *
   * @param isStill whether it waits still, so that nobody reads the history.
   */
  rest(isStill: () => boolean): Promise<void>;
  /** Brings back what `rest()` let go of; undefined where all is there. Rejects as the store does. */
  wake(): Promise<void> | undefined;
  /** For the border of a turn: keeps a snapshot where one is due and all of the state is stored. Returns at once. */
  snapshot(): void;
  /**
   * Writes what waits and takes nothing more; `record` then throws `query_closed`. The store stays open.
   * Rejects as `barrier()` does.
   */
  close(): Promise<void>;
}

/**
 * Opens the log of a session for writing. Nothing is written before the first barrier.
 *
 * One append is on its way at a time; barriers that come meanwhile share the next one. An append that
 * rejects is repeated under the same batch id, three times; then the barrier rejects with `store_failed`,
 * its events stay, and the next barrier tries them again. A conflict means that somebody else wrote:
 * `store_conflict`, now and at every later barrier.
 */
export function createSessionLog(parts: SessionLogParts): SessionLog {
  const { store, platform, sessionId, project, onEvent } = parts;
  const state = parts.state ?? emptyState();
  let waiting: SessionEvent[] = [];
  let batch:
    | { readonly id: string; readonly events: readonly SessionEvent[]; readonly sync: boolean }
    | undefined;
  let storedSeq = state.lastSeq - (parts.unwritten?.length ?? 0);
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let poison: CastellanError | undefined;
  let closed = false;
  /** The next batch must outlast a power cut. */
  let sync = false;
  let lastId: string | undefined;
  /** The redactor failed: what came before it is written, nothing after it ever is. */
  let refused: CastellanError | undefined;
  /** The log holds less than the state: a snapshot would tell what was taken out. */
  let isRedacted = false;
  const under = parts.epoch === undefined ? {} : { epoch: parts.epoch };
  const keeper =
    parts.snapshots && createSnapshotKeeper(store, sessionId, parts.snapshots, parts.snapshots.seq);

  function keep(event: SessionEvent): void {
    lastId = event.id;
    if (refused !== undefined) return;
    try {
      const plain = parts.redact === undefined ? event : withMarks(redacted(parts.redact, event), event);
      isRedacted ||= plain !== event;
      waiting.push(plain);
    } catch (error) {
      refused = error as CastellanError;
    }
  }

  function snapshot(): void {
    // Of a history that was let go of, a snapshot would make the whole one.
    if (lastId === undefined || isRedacted || resting.isAway() || storedSeq < state.lastSeq) return;
    keeper?.offer(state, lastId);
  }

  function record<T extends SessionEventType>(type: T, data: EventData<T>, cause?: string): void {
    if (closed) {
      throw new CastellanError(
        "query_closed",
        `The log of session ${sessionId} is closed: "${type}" came too late.`,
        {
          subject: sessionId,
        },
      );
    }
    const { v, critical } = EVENT_TYPES[type];
    const event = {
      v,
      seq: state.lastSeq + 1,
      id: platform.ids.uuid(),
      ts: platform.clock.now(),
      type,
      ...(critical ? { critical } : {}),
      ...(cause === undefined ? {} : { cause }),
      data,
    } as unknown as SessionEvent;
    apply(state, event);
    keep(event);
    onEvent?.(event, state);
  }

  async function send(): Promise<void> {
    if (poison !== undefined) throw poison;
    if (batch === undefined) {
      batch = { id: platform.ids.uuid(), events: waiting, sync };
      waiting = [];
      sync = false;
    }
    const { id: batchId, events } = batch;
    const fresh = parts.isNewId === true && storedSeq === 0 ? { fresh: true } : {};
    const more = { ...fresh, ...(batch.sync ? { sync: true } : {}), ...under };
    const entry = { sessionId, project, expectedSeq: storedSeq, batchId, events, ...more };
    const result = await appendBatch(store, platform.clock, entry);
    if (!result.ok) {
      poison =
        result.code === "lease_lost"
          ? leaseLost(sessionId)
          : conflict(sessionId, storedSeq, result.actualSeq);
      throw poison;
    }
    storedSeq += events.length;
    batch = undefined;
  }

  async function write(): Promise<void> {
    // A batch that failed goes first, as it was: the store may hold it after all.
    if (batch !== undefined) await send();
    if (waiting.length > 0) await send();
    if (refused !== undefined) throw refused;
  }

  function begin(): Promise<void> {
    running = write().finally(() => {
      running = undefined;
    });
    return running;
  }

  function barrier(mustSync = false): Promise<void> {
    if (mustSync && waiting.length > 0) sync = true;
    if (running === undefined) return storedSeq >= state.lastSeq ? DONE : begin();
    if (waiting.length === 0) return running;
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  }

  const resting = createResting(store, sessionId, state);
  for (const event of parts.unwritten ?? []) keep(event);
  // A copy whose end is missing may do more than its original: it is written whole or not at all.
  if (refused !== undefined) waiting = [];

  return {
    state,
    record,
    barrier,
    snapshot,
    async rest(isStill) {
      await barrier();
      if (isStill() && !isRedacted && !closed && storedSeq === state.lastSeq) resting.letGo();
    },
    wake: resting.wake,
    async close() {
      closed = true;
      await barrier();
      snapshot();
      await keeper?.idle();
    },
  };
}

const DONE: Promise<void> = Promise.resolve();

function conflict(sessionId: string, expected: number, actual: number): CastellanError {
  return new CastellanError(
    "store_conflict",
    `Session ${sessionId} was written by somebody else: the store is at event ${actual}, this run expected ${expected}.`,
    { subject: sessionId, fix: "Resume the session to go on from what is stored." },
  );
}

function leaseLost(sessionId: string): CastellanError {
  return new CastellanError(
    "lease_lost",
    `Session ${sessionId} may no longer be written here: the lease of this worker ran out, or another one has it.`,
    { subject: sessionId, fix: "Resume the session to go on from what is stored." },
  );
}
