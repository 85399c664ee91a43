import type { Steering } from "../../loop/index.ts";
import type { UserMessage } from "../../protocol/index.ts";
import type { QueueLog } from "./kept-prompts.ts";
import type { Prompt } from "./user-message.ts";

/** One stream of messages on its way into the session. */
export interface InboxSource {
  /** Undefined, or what resolves once the message is written: one that waits behind such a call outlives the process. */
  push(prompt: Prompt): Promise<void> | undefined;
  /** Undefined while there is room for more; else resolves once there is. */
  room(): Promise<void> | undefined;
  /** No more from here; what waits is still given. With an error, the inbox fails once it is empty. */
  end(error?: unknown): void;
}

/**
 * Messages of people on their way into the session. `next()` gives the one that starts a user
 * turn; `steer()` those that want in before the next model request of the turn that runs.
 */
export interface Inbox extends Steering {
  /** The session is open: from here on what waits behind a call that may wait for days is written to its log. */
  bind(session: QueueLog): void;
  /** Records what waits where a call waits that may wait for long. Who calls this writes it. */
  keep(): void;
  /** A further stream; the inbox stays open until each has ended. @throws CastellanError `query_closed` */
  source(): InboxSource;
  /**
   * Undefined once every source has ended and nothing waits; then it is closed. Rejects with what a source ended with.
   *
   * @param onWait called when there is nothing to give yet.
   * @param hasNews a turn may begin by itself: then `NEWS` is given; looked at again after each `stir()`.
   */
  next(onWait?: () => void, hasNews?: () => boolean): Promise<UserMessage | undefined>;
  /** Whoever waits in `next()` looks again. */
  stir(): void;
  /** Somebody waits to be heard. */
  isWaited(): boolean;
  /** What waits, in the order in which it will be heard. */
  queued(): readonly Prompt[];
  /** Takes a message out for good. Undefined where none of that name waits or was just taken. */
  cancel(uuid: string): "cancelled" | "heard" | undefined;
  /** Closes, and forgets what waits. */
  discard(): void;
  /** What was forgotten and is not kept in the log, once. */
  takeLost(): readonly Prompt[];
}
