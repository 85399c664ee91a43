import type { EventStore } from "../protocol/index.ts";
import { makeSnapshot, type SnapshotParts } from "./snapshot.ts";
import type { SessionState } from "./state.ts";

/** Fewer events than this fold as fast as a snapshot opens. */
const LEAST = 2000;

/** Writes snapshots of one session, now and then. Nothing here throws or rejects. */
export interface SnapshotKeeper {
  /** Takes the state down if that is due. To be called at the border of a turn, when all of it is stored. */
  offer(state: SessionState, lastId: string): void;
  /** Resolves when the write that is on its way, if any, has ended. */
  idle(): Promise<void>;
}

/**
 * A snapshot is due when the log has grown by half since the last one, and by 2,000 events: so the work for all of
 * them stays in proportion to the length of the session, and a resume folds at most a third of it.
 *
 * @param seq how far the last snapshot reaches.
 */
export function createSnapshotKeeper(
  store: EventStore,
  sessionId: string,
  parts: SnapshotParts,
  seq: number,
): SnapshotKeeper {
  let last = seq;
  let writing: Promise<void> | undefined;
  return {
    offer(state, lastId) {
      if (store.writeSnapshot === undefined || writing !== undefined) return;
      if (state.lastSeq - last < Math.max(LEAST, last / 2)) return;
      last = state.lastSeq;
      try {
        // What cannot be written now is folded from the log as ever, and tried again when the next one is due.
        writing = store
          .writeSnapshot(sessionId, makeSnapshot(state, lastId, parts))
          .catch(() => {})
          .finally(() => {
            writing = undefined;
          });
      } catch {
        // A state that is too long for one text.
      }
    },
    async idle() {
      await writing;
    },
  };
}
