import type { EventStore } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";

/** By store, since two hosts may share one. */
const claimed = new WeakMap<EventStore, Set<string>>();

/**
 * Keeps two runs of this process from writing one session. What other processes do is the store's affair.
 *
 * @returns what gives the session free again.
 * @throws CastellanError `session_busy`
 */
export function claimSession(store: EventStore, sessionId: string): () => void {
  const ids = claimed.get(store) ?? new Set<string>();
  claimed.set(store, ids);
  if (ids.has(sessionId)) {
    throw new CastellanError(
      "session_busy",
      `Session ${sessionId} is in use by another query of this process.`,
      {
        subject: sessionId,
        fix: "End that query first.",
      },
    );
  }
  ids.add(sessionId);
  return () => void ids.delete(sessionId);
}
