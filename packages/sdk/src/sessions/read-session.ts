import type { EventStore, SessionEvent } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { openSnapshot, type SnapshotParts } from "./snapshot.ts";
import type { SessionState } from "./state.ts";

/** A session as its store holds it. */
export interface ReadSession {
  readonly state: SessionState;
  /** `id` of the last event. */
  readonly lastId: string;
  /** The events up to this one came from a snapshot; 0 where all were read. */
  readonly snapshotSeq: number;
}

/**
 * Reads and folds a session, from its last snapshot on where that fits the log, else from its start. Undefined: there is
 * no such session.
 *
 * @throws `log_too_new` and `log_corrupt` as `fold()`, and `log_corrupt` for the log of another session; what the store throws.
 */
export async function readSession(
  store: EventStore,
  sessionId: string,
  parts: SnapshotParts,
): Promise<ReadSession | undefined> {
  const quick = await fromSnapshot(store, sessionId, parts);
  if (quick !== undefined) return quick;
  const events = await store.read(sessionId);
  const last = events.at(-1);
  if (last === undefined) return undefined;
  return { state: foldOf(events, sessionId), lastId: last.id, snapshotSeq: 0 };
}

/** The event that a snapshot ends with is read again: it shows that the log is the one that was folded. */
async function fromSnapshot(
  store: EventStore,
  sessionId: string,
  parts: SnapshotParts,
): Promise<ReadSession | undefined> {
  // A snapshot saves time and no more: whatever is wrong with it, the log is the truth.
  const snapshot = await store.readSnapshot?.(sessionId).catch(() => undefined);
  const opened = snapshot && openSnapshot(snapshot, parts);
  if (opened === undefined || opened.state.sessionId !== sessionId) return undefined;
  const { state, lastId } = opened;
  const snapshotSeq = state.lastSeq;
  const [joint, ...rest] = await store.read(sessionId, snapshotSeq - 1);
  if (joint?.seq !== snapshotSeq || joint.id !== lastId) return undefined;
  return { state: fold(rest, state), lastId: rest.at(-1)?.id ?? lastId, snapshotSeq };
}

/** @throws `log_too_new`, `log_corrupt` */
export function foldOf(events: readonly SessionEvent[], sessionId: string): SessionState {
  const state = fold(events);
  if (state.sessionId === sessionId && state.cwd !== "") return state;
  const what =
    state.sessionId === "" ? "does not begin with session.started" : `is that of ${state.sessionId}`;
  throw new CastellanError("log_corrupt", `The log of session ${sessionId} ${what}.`, {
    subject: sessionId,
    fix: "Restore the log, or start a new session.",
  });
}
