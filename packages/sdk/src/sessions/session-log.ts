import type { Platform } from "../platform/index.ts";
import type { EventData, EventStore, Recorder, SessionEvent, SessionEventType } from "../protocol/index.ts";
import { CastellanError, EVENT_TYPES } from "../protocol/index.ts";
import { appendBatch } from "./append-batch.ts";
import { apply } from "./apply.ts";
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
  /** The end of `state` that is not in the store yet: it is written with the first barrier. Default: none. */
  readonly unwritten?: readonly SessionEvent[];
  /** The id was made for this very session: nothing is stored under it. */
  readonly isNewId?: boolean;
  /** Told of each event in the very call that records it, after the state has moved. It must not throw. */
  onEvent?(event: SessionEvent, state: SessionState): void;
}

/** The one writer of a session: it gives events their envelope, moves the state and writes at barriers. */
export interface SessionLog extends Recorder {
  readonly state: SessionState;
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
  let waiting: SessionEvent[] = [...(parts.unwritten ?? [])];
  let batch: { readonly id: string; readonly events: readonly SessionEvent[] } | undefined;
  let storedSeq = state.lastSeq - waiting.length;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let poison: CastellanError | undefined;
  let closed = false;

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
    waiting.push(event);
    onEvent?.(event, state);
  }

  async function send(): Promise<void> {
    if (poison !== undefined) throw poison;
    if (batch === undefined) {
      batch = { id: platform.ids.uuid(), events: waiting };
      waiting = [];
    }
    const { id: batchId, events } = batch;
    const fresh = parts.isNewId === true && storedSeq === 0 ? { fresh: true } : {};
    const entry = { sessionId, project, expectedSeq: storedSeq, batchId, events, ...fresh };
    const result = await appendBatch(store, platform.clock, entry);
    if (!result.ok) {
      poison = conflict(sessionId, storedSeq, result.actualSeq);
      throw poison;
    }
    storedSeq += events.length;
    batch = undefined;
  }

  async function write(): Promise<void> {
    // A batch that failed goes first, as it was: the store may hold it after all.
    if (batch !== undefined) await send();
    if (waiting.length > 0) await send();
  }

  function begin(): Promise<void> {
    running = write().finally(() => {
      running = undefined;
    });
    return running;
  }

  function barrier(): Promise<void> {
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

  return {
    state,
    record,
    barrier,
    close() {
      closed = true;
      return barrier();
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
