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
  return new SessionInbox(onUrgent, onTake, onPush);
}

const NO_PROMPTS: readonly Prompt[] = [];
const NOBODY: readonly (() => void)[] = [];

class SessionInbox implements Inbox {
  readonly #onUrgent: () => void;
  readonly #onTake: () => void;
  readonly #onPush: () => void;
  #waiting: Prompt[] | undefined;
  #sources = 0;
  #closed = false;
  #failure: { readonly reason: unknown } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeSources: readonly (() => void)[] = NOBODY;

  constructor(onUrgent: () => void, onTake: () => void, onPush: () => void) {
    this.#onUrgent = onUrgent;
    this.#onTake = onTake;
    this.#onPush = onPush;
  }

  source(): InboxSource {
    if (this.#closed) {
      throw new CastellanError("query_closed", "The session has ended and takes no more messages.", {
        fix: "Start a query with `resume` to go on.",
      });
    }
    this.#sources += 1;
    return new Source(this);
  }

  isWaited(): boolean {
    return this.queued().length > 0;
  }

  queued(): readonly Prompt[] {
    return this.#waiting === undefined ? NO_PROMPTS : [...this.#waiting];
  }

  async next(onWait?: () => void): Promise<UserMessage | undefined> {
    for (;;) {
      const first = this.#waiting?.shift();
      this.#makeRoom();
      if (first !== undefined) {
        this.#onTake();
        return first.message;
      }
      if (this.#failure !== undefined && !this.#closed) throw this.#failure.reason;
      if (this.#closed || this.#sources === 0) {
        this.#closed = true;
        return undefined;
      }
      onWait?.();
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  steer(): readonly UserMessage[] {
    const now = this.#waiting?.filter((prompt) => prompt.priority === "next");
    if (now === undefined || now.length === 0) return NONE;
    this.#waiting = this.#waiting?.filter((prompt) => prompt.priority !== "next");
    this.#makeRoom();
    return now.map((prompt) => prompt.message);
  }

  discard(): void {
    this.#waiting = undefined;
    this.#closed = true;
    this.#makeRoom();
    this.#stir();
  }

  /** For a source that is open. */
  push(prompt: Prompt): void {
    if (this.#closed) return;
    this.#waiting ??= [];
    const waiting = this.#waiting;
    if (prompt.priority === "now") {
      const place = waiting.findIndex((other) => other.priority !== "now");
      waiting.splice(place === -1 ? waiting.length : place, 0, prompt);
      this.#onUrgent();
    } else waiting.push(prompt);
    this.#onPush();
    this.#stir();
  }

  /** For a source. */
  room(): Promise<void> | undefined {
    if (this.#hasRoom()) return undefined;
    return new Promise((resolve) => {
      this.#wakeSources = [...this.#wakeSources, resolve];
    });
  }

  /** For a source, once. */
  leave(reason: unknown): void {
    this.#sources -= 1;
    if (reason !== undefined) this.#failure ??= { reason };
    this.#stir();
  }

  #stir(): void {
    this.#wakeReader?.();
    this.#wakeReader = undefined;
  }

  #hasRoom(): boolean {
    return (this.#waiting?.length ?? 0) < MOST_WAITING || this.#closed;
  }

  #makeRoom(): void {
    if (!this.#hasRoom()) return;
    const woken = this.#wakeSources;
    this.#wakeSources = NOBODY;
    for (const wake of woken) wake();
  }
}

class Source implements InboxSource {
  readonly #inbox: SessionInbox;
  #open = true;

  constructor(inbox: SessionInbox) {
    this.#inbox = inbox;
  }

  push(prompt: Prompt): void {
    if (this.#open) this.#inbox.push(prompt);
  }

  room(): Promise<void> | undefined {
    return this.#inbox.room();
  }

  end(reason?: unknown): void {
    if (!this.#open) return;
    this.#open = false;
    this.#inbox.leave(reason);
  }
}

const NONE: readonly UserMessage[] = [];
