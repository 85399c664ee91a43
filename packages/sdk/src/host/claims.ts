import type { EventStore, Recorder } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";

/** By store, since two hosts may share one. The log of a run is known as soon as it is open. */
const claimed = new WeakMap<EventStore, Map<string, Recorder | undefined>>();

/**
 * Keeps two runs of this process from writing one session. What other processes do is the store's affair.
 *
 * @returns what gives the session free again.
 * @throws CastellanError `session_busy`
 */
export function claimSession(store: EventStore, sessionId: string): () => void {
  const ids = claimed.get(store) ?? new Map<string, Recorder | undefined>();
  claimed.set(store, ids);
  if (ids.has(sessionId)) throw inUse(sessionId);
  ids.set(sessionId, undefined);
  return () => void ids.delete(sessionId);
}

/** Tells which log belongs to a claim, so that others of this process may have something recorded in it. */
export function knowLog(store: EventStore, sessionId: string, log: Recorder): void {
  const ids = claimed.get(store);
  if (ids?.has(sessionId) === true) ids.set(sessionId, log);
}

/** Whether a run of this process writes the session, and its log once that is open. */
export function runningLog(store: EventStore, sessionId: string): { readonly log?: Recorder } | undefined {
  const ids = claimed.get(store);
  if (ids?.has(sessionId) !== true) return undefined;
  const log = ids.get(sessionId);
  return log === undefined ? {} : { log };
}

/** @returns what to throw for a session that this process is at. */
export function inUse(sessionId: string): CastellanError {
  return new CastellanError(
    "session_busy",
    `Session ${sessionId} is in use by another query of this process.`,
    {
      subject: sessionId,
      fix: "End that query first.",
    },
  );
}
