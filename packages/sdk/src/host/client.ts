import type { SDKMessage, SDKUserMessage } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";
import { runOf, SessionControls } from "./controls/controls.ts";
import { badOption, shown } from "./options/fault.ts";
import { isAsyncIterable } from "./options/params.ts";
import { parseOptions } from "./options/parse.ts";
import type { Options } from "./options/types.ts";
import type { Query } from "./query.ts";
import type { QueryParams } from "./query-params.ts";
import type { InterruptReceipt } from "./running/interrupt.ts";
import { type Prompt, readUserMessage, textPrompt } from "./running/user-message.ts";

/** What a client may be asked: a text, a message with its priority, or several messages. */
export type ClientPrompt = string | SDKUserMessage | AsyncIterable<SDKUserMessage>;

/**
 * One session over many turns: ask with `query()`, read with `receiveResponse()`, as often as you like.
 *
 * The session begins with the first use and ends with `close()`.
 */
export class Client extends SessionControls {
  readonly #session: LazySession;
  /** An iterator of this client waits for a message right now. */
  #isRead = false;

  /**
   * @param start as `Host.query()`; called once, with the first use.
   * @throws CastellanError `invalid_option` at once, for everything that needs no disk and no network
   */
  constructor(start: (params: QueryParams) => Query, options: Options) {
    parseOptions(options);
    const session = lazySession(start, { ...options });
    super(() => runOf(session.open()));
    this.#session = session;
  }

  /**
   * Asks something. Each message has a response of its own, in the order of asking; one with `priority` "next" joins the
   * response that is on its way. Resolves once it is taken in, and does not wait for the response: read that with
   * `receiveResponse()`.
   *
   * @throws CastellanError `invalid_option` for a prompt that is none, `query_closed`; the session goes on
   */
  async query(prompt: ClientPrompt): Promise<void> {
    const run = runOf(this);
    if (isAsyncIterable(prompt)) return this.streamInput(prompt);
    await run.send(readClientPrompt(prompt));
  }

  /**
   * The messages up to and including the next result of something that was asked; those of turns that began by
   * themselves (`woken`) come with them. Leaving it early leaves the rest for the next reader. It waits
   * when nothing has been asked; it ends without a result only when the session does.
   *
   * @throws CastellanError `invalid_option` while another iterator of this client waits for a message; `AbortError`
   * after the option `abortController` was used
   */
  async *receiveResponse(): AsyncGenerator<SDKMessage, void, undefined> {
    for await (const message of this.receiveMessages()) {
      yield message;
      // A turn that began by itself is no answer to anything.
      if (message.type === "result" && message.woken !== true) return;
    }
  }

  /** All messages until the session ends. Leaving it early does not end the session. @throws as `receiveResponse()` */
  async *receiveMessages(): AsyncGenerator<SDKMessage, void, undefined> {
    for (;;) {
      const step = await this.#next();
      if (step.done === true) return;
      yield step.value;
    }
  }

  /** As `Query.interrupt()`; nothing happens where nothing has been asked yet. */
  override async interrupt(): Promise<InterruptReceipt> {
    if (this.#session.isOpen() || this.#session.isClosed()) return super.interrupt();
    return { stopped: false, stillQueued: [] };
  }

  /** Ends the session and waits until everything is written. What has not been read can still be read. Idempotent. */
  override async close(): Promise<void> {
    await this.#session.close();
  }

  async #next(): Promise<IteratorResult<SDKMessage, void>> {
    if (this.#session.isClosed() && !this.#session.isOpen()) return { done: true, value: undefined };
    if (this.#isRead) throw twoReaders();
    this.#isRead = true;
    try {
      return await this.#session.open().next();
    } finally {
      this.#isRead = false;
    }
  }
}

/** A query that begins when it is first needed. */
interface LazySession {
  /** @throws CastellanError `query_closed` when it was closed before it began */
  open(): Query;
  /** It has begun; it may have ended. */
  isOpen(): boolean;
  isClosed(): boolean;
  close(): Promise<void>;
}

function lazySession(start: (params: QueryParams) => Query, options: Options): LazySession {
  let query: Query | undefined;
  let isClosed = false;
  return {
    open() {
      if (query === undefined && isClosed) throw closedClient();
      query ??= start({ prompt: NEVER, options });
      return query;
    },
    isOpen: () => query !== undefined,
    isClosed: () => isClosed,
    async close() {
      isClosed = true;
      await query?.close();
    },
  };
}

/** A prompt stream that stays open and says nothing. */
const NEVER: AsyncIterable<SDKUserMessage> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
};

function readClientPrompt(prompt: unknown): Prompt {
  if (typeof prompt === "string" && prompt.trim() !== "") return textPrompt(prompt);
  if (isJsonObject(prompt)) return readUserMessage(prompt);
  const must =
    "It must be a text that says what to do, a user message, or an async iterable of user messages.";
  throw badOption("prompt", `query() was given ${shown(prompt)}.`, must);
}

function closedClient(): CastellanError {
  return new CastellanError("query_closed", "This client is closed.", {
    fix: "Make another; with `resume` it goes on with a session.",
  });
}

function twoReaders(): CastellanError {
  return new CastellanError("invalid_option", "Another iterator of this client waits for a message.", {
    subject: "receiveMessages",
    fix: "Read a client in one place at a time: each message is given once.",
  });
}
