import type { UserMessage } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import type { Prompt } from "./user-message.ts";

/** From this many waiting messages on, streams are read no further. */
const MOST_WAITING = 1_000;

/** One stream of messages on its way into the session. */
export interface InboxSource {
  push(prompt: Prompt): void;
  /** Undefined while there is room for more; else resolves once there is. */
  room(): Promise<void> | undefined;
  /** No more from here; what waits is still given. With an error, the inbox fails once it is empty. */
  end(error?: unknown): void;
}

/**
 * Messages of people on their way into the session. `next()` gives the one that starts a user
 * turn; `steer()` those that want in before the next model request of the turn that runs.
 */
export interface Inbox {
  /** A further stream; the inbox stays open until each has ended. @throws CastellanError `query_closed` */
  source(): InboxSource;
  /**
   * Undefined once every source has ended and nothing waits; then it is closed. Rejects with what a source ended with.
   *
   * @param onWait called when there is nothing to give yet.
   */
  next(onWait?: () => void): Promise<UserMessage | undefined>;
  /** Somebody waits to be heard. */
  isWaited(): boolean;
  /** What waits, in the order in which it will be heard. */
  queued(): readonly Prompt[];
  /** Takes out what has the priority `next`. */
  steer(): readonly UserMessage[];
  /** Closes, and forgets what waits. */
  discard(): void;
}

/**
 * @param onUrgent called when a message of priority `now` comes: the running turn makes room for it.
 * @param onTake called in the very step in which `next()` takes a message out.
 * @param onPush called with every message that comes in.
 */
export function createInbox(
  onUrgent: () => void,
  onTake: () => void = () => {},
  onPush: () => void = () => {},
): Inbox {
  let waiting: Prompt[] = [];
  let sources = 0;
  let closed = false;
  let failure: { readonly reason: unknown } | undefined;
  let wakeReader: (() => void) | undefined;
  const wakeSources: (() => void)[] = [];

  function stir(): void {
    wakeReader?.();
    wakeReader = undefined;
  }

  function makeRoom(): void {
    if (waiting.length >= MOST_WAITING && !closed) return;
    for (const wake of wakeSources.splice(0)) wake();
  }

  function push(prompt: Prompt): void {
    if (closed) return;
    if (prompt.priority === "now") {
      const place = waiting.findIndex((other) => other.priority !== "now");
      waiting.splice(place === -1 ? waiting.length : place, 0, prompt);
      onUrgent();
    } else waiting.push(prompt);
    onPush();
    stir();
  }

  return {
    source() {
      if (closed) {
        throw new CastellanError("query_closed", "The session has ended and takes no more messages.", {
          fix: "Start a query with `resume` to go on.",
        });
      }
      sources += 1;
      let open = true;
      return {
        push: (prompt) => {
          if (open) push(prompt);
        },
        room() {
          if (waiting.length < MOST_WAITING || closed) return undefined;
          return new Promise((resolve) => {
            wakeSources.push(resolve);
          });
        },
        end(reason) {
          if (!open) return;
          open = false;
          sources -= 1;
          if (reason !== undefined) failure ??= { reason };
          stir();
        },
      };
    },
    isWaited: () => waiting.length > 0,
    queued: () => [...waiting],
    async next(onWait) {
      for (;;) {
        const first = waiting.shift();
        makeRoom();
        if (first !== undefined) {
          onTake();
          return first.message;
        }
        if (failure !== undefined && !closed) throw failure.reason;
        if (closed || sources === 0) {
          closed = true;
          return undefined;
        }
        onWait?.();
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
    },
    steer() {
      const now = waiting.filter((prompt) => prompt.priority === "next");
      if (now.length === 0) return NONE;
      waiting = waiting.filter((prompt) => prompt.priority !== "next");
      makeRoom();
      return now.map((prompt) => prompt.message);
    },
    discard() {
      waiting = [];
      closed = true;
      makeRoom();
      stir();
    },
  };
}

const NONE: readonly UserMessage[] = [];
