import type { UserMessage } from "../protocol/index.ts";
import { type Prompt, readUserMessage } from "./user-message.ts";

/**
 * Messages of people on their way into the session. `next()` gives the one that starts a user
 * turn; `steer()` those that want in before the next model request of the turn that runs.
 */
export interface Inbox {
  push(prompt: Prompt): void;
  /** Undefined once the stream has ended and nothing waits. Rejects when the stream threw or gave nonsense. */
  next(): Promise<UserMessage | undefined>;
  steer(): readonly UserMessage[];
  /** A message of priority `now` waits: the running turn makes room. */
  readonly urgent: boolean;
  /** No more messages; those that wait are still given. */
  end(error?: unknown): void;
  /** Ends, and forgets what waits. */
  discard(): void;
}

export function createInbox(onUrgent: () => void): Inbox {
  let waiting: Prompt[] = [];
  let ended = false;
  let error: { readonly reason: unknown } | undefined;
  let wake: (() => void) | undefined;

  const stir = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    get urgent() {
      return waiting[0]?.priority === "now";
    },
    push(prompt) {
      if (ended) return;
      if (prompt.priority === "now") {
        const place = waiting.findIndex((other) => other.priority !== "now");
        waiting.splice(place === -1 ? waiting.length : place, 0, prompt);
        onUrgent();
      } else waiting.push(prompt);
      stir();
    },
    async next() {
      for (;;) {
        const first = waiting.shift();
        if (first !== undefined) return first.message;
        if (error !== undefined) throw error.reason;
        if (ended) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    steer() {
      const now = waiting.filter((prompt) => prompt.priority === "next");
      if (now.length === 0) return [];
      waiting = waiting.filter((prompt) => prompt.priority !== "next");
      return now.map((prompt) => prompt.message);
    },
    end(reason) {
      if (ended) return;
      ended = true;
      if (reason !== undefined) error = { reason };
      stir();
    },
    discard() {
      waiting = [];
      ended = true;
      error = undefined;
      stir();
    },
  };
}

/** Reads a prompt stream into the inbox until it ends, throws, or `stop` fires. Never rejects. */
export async function pumpPrompts(
  prompts: AsyncIterable<unknown>,
  inbox: Inbox,
  stop: AbortSignal,
): Promise<void> {
  const iterator = prompts[Symbol.asyncIterator]();
  const leave = (): void => {
    // The program's generator gets its finally; whether it answers is not waited for.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  };
  stop.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const step = await iterator.next();
      if (stop.aborted) return;
      if (step.done === true) break;
      inbox.push(readUserMessage(step.value));
    }
    inbox.end();
  } catch (error) {
    inbox.end(error);
    leave();
  } finally {
    stop.removeEventListener("abort", leave);
  }
}
