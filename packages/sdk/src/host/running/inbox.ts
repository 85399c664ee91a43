import type { UserMessage } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import type { Inbox, InboxSource } from "./inbox-types.ts";
import { isKept, keepPrompts, leftPrompts, type QueueLog } from "./kept-prompts.ts";
import { isUrgent, type Prompt } from "./user-message.ts";

/** From this many waiting messages on, streams are read no further. */
const MOST_WAITING = 1_000;

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

/** This very object stands for no message: a turn is to begin by itself. */
export const NEWS: UserMessage = Object.freeze({ role: "user", parts: [] });

const NO_PROMPTS: readonly Prompt[] = [];
const NOBODY: readonly (() => void)[] = [];

class SessionInbox implements Inbox {
  readonly #onUrgent: () => void;
  readonly #onTake: () => void;
  readonly #onPush: () => void;
  #waiting: readonly Prompt[] | undefined;
  /** What was taken last, and may not be recorded yet. */
  #taken: readonly Prompt[] = NO_PROMPTS;
  #lost: readonly Prompt[] = NO_PROMPTS;
  #session: QueueLog | undefined;
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

  bind(session: QueueLog): void {
    this.#session = session;
  }

  keep(): void {
    const kept = this.#session && keepPrompts(this.queued(), this.#session);
    if (kept !== undefined) this.#waiting = kept;
  }

  isWaited(): boolean {
    return this.queued().length > 0;
  }

  queued(): readonly Prompt[] {
    return this.#waiting ?? NO_PROMPTS;
  }

  async next(onWait?: () => void, hasNews?: () => boolean): Promise<UserMessage | undefined> {
    for (;;) {
      const [first, ...others] = this.queued();
      if (first !== undefined) {
        this.#setWaiting(others);
        this.#taken = [first];
        this.#onTake();
        return first.message;
      }
      if (this.#failure !== undefined && !this.#closed) throw this.#failure.reason;
      if (this.#closed || this.#sources === 0) {
        this.#closed = true;
        return undefined;
      }
      if (hasNews?.() === true) {
        this.#onTake();
        return NEWS;
      }
      onWait?.();
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  left(): readonly UserMessage[] {
    return leftPrompts(this.#session, this.queued().concat(this.#taken));
  }

  steer(): readonly UserMessage[] {
    const now = this.queued().filter((prompt) => prompt.priority === "next");
    // Urgent ones go before them, also where another urgent one has its turn.
    if (now.length === 0 || this.queued().some(isUrgent)) return NONE;
    this.#setWaiting(this.queued().filter((prompt) => prompt.priority !== "next"));
    this.#taken = now;
    return now.map((prompt) => prompt.message);
  }

  giveBack(messages: readonly UserMessage[]): void {
    const back = this.#taken.filter(({ message }) => messages.includes(message));
    this.#taken = NO_PROMPTS;
    if (this.#closed) this.#lose(back);
    else this.#setWaiting([...this.queued().filter(isUrgent), ...back, ...this.queued().filter(isPatient)]);
  }

  cancel(uuid: string): "cancelled" | "heard" | undefined {
    const others = this.queued().filter((prompt) => prompt.uuid !== uuid);
    const isWaiting = others.length < this.queued().length;
    if (!isWaiting && this.#taken.some((prompt) => prompt.uuid === uuid)) return "heard";
    const log = this.#session?.log;
    const isInLog = log?.state.queue.has(uuid) === true;
    if (!isWaiting && !isInLog) return undefined;
    if (isInLog) log.record("message.dropped", { uuid, why: "cancelled" });
    this.#setWaiting(others);
    return "cancelled";
  }

  discard(): void {
    this.#lose(this.queued());
    this.#closed = true;
    this.#setWaiting(NO_PROMPTS);
    this.stir();
  }

  takeLost(): readonly Prompt[] {
    const lost = this.#lost;
    this.#lost = NO_PROMPTS;
    return lost;
  }

  /** For a source that is open. */
  push(prompt: Prompt): Promise<void> | undefined {
    if (this.#closed) return undefined;
    const waiting = this.queued();
    const isNow = isUrgent(prompt);
    this.#waiting = isNow
      ? [...waiting.filter(isUrgent), prompt, ...waiting.filter(isPatient)]
      : waiting.concat(prompt);
    // Before anybody makes room for it: an approval that ends with that does not wait any more.
    const before = this.#waiting;
    this.keep();
    const isWritten = this.#waiting !== before;
    if (isNow) this.#onUrgent();
    this.#onPush();
    this.stir();
    return isWritten ? this.#session?.log.barrier() : undefined;
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
    this.stir();
  }

  #lose(prompts: readonly Prompt[]): void {
    if (prompts.length === 0) return;
    this.#lost = this.#lost.concat(prompts.filter((prompt) => !isKept(prompt, this.#session)));
  }

  #setWaiting(waiting: readonly Prompt[]): void {
    this.#waiting = waiting.length === 0 ? undefined : waiting;
    this.#makeRoom();
  }

  stir(): void {
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

  push(prompt: Prompt): Promise<void> | undefined {
    return this.#open ? this.#inbox.push(prompt) : undefined;
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

const isPatient = (prompt: Prompt): boolean => !isUrgent(prompt);
