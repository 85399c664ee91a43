import type { EventStore } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import type { SessionState } from "./state.ts";

/** Lets go of a history that nobody needs for a while, and brings it back from the store. */
export interface Resting {
  /** All of the state is stored, and nobody reads `state.messages` before `wake()`. */
  letGo(): void;
  /** The history is not in `state`. */
  isAway(): boolean;
  /** Undefined where the history is there; else resolves once it is. Rejects as the store does, and with `log_corrupt`. */
  wake(): Promise<void> | undefined;
}

export function createResting(store: EventStore, sessionId: string, state: SessionState): Resting {
  let away: { readonly seq: number; readonly count: number } | undefined;
  let waking: Promise<void> | undefined;

  async function bring({ seq, count }: { readonly seq: number; readonly count: number }): Promise<void> {
    const events = await store.read(sessionId);
    const { messages } = fold(events.filter((event) => event.seq <= seq));
    if (messages.length !== count) {
      throw new CastellanError(
        "log_corrupt",
        `The log of session ${sessionId} was changed while it waited.`,
        {
          subject: sessionId,
          fix: "Resume the session to go on from what is stored.",
        },
      );
    }
    // What came meanwhile stands behind it.
    state.messages = messages.concat(state.messages);
    away = undefined;
  }

  return {
    letGo() {
      if (away !== undefined || state.messages.length === 0) return;
      away = { seq: state.lastSeq, count: state.messages.length };
      state.messages = [];
    },
    isAway: () => away !== undefined,
    wake() {
      if (away === undefined) return undefined;
      waking ??= bring(away).finally(() => {
        waking = undefined;
      });
      return waking;
    },
  };
}
