import type { PermissionMode, SDKMessage, SDKUserMessage } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { addDirectories, changeMode } from "./change-policy.ts";
import { readMessageStream } from "./options/params.ts";
import type { SessionRun } from "./session-run.ts";

/**
 * A running session: an async generator of messages with control methods beside it.
 *
 * It begins at once, read or not. The iterator ends after the last result and does not throw, with one
 * exception: an aborted `abortController` makes it throw `AbortError` behind the result message.
 */
export class Query implements AsyncGenerator<SDKMessage, void, undefined> {
  readonly #run: SessionRun;
  #ended = false;
  /** The reader has gone: `return()` or `throw()` was called. */
  #left = false;

  /** Made by `query()` and `Host.query()`. */
  constructor(run: SessionRun) {
    this.#run = run;
    void run.ended.then(() => {
      this.#ended = true;
    });
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#left ? Promise.resolve({ done: true, value: undefined }) : this.#run.queue.next();
  }

  /** Leaving a `for await` early closes the session. */
  async return(): Promise<IteratorResult<SDKMessage, void>> {
    await this.#leave();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<SDKMessage, void>> {
    await this.#leave();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Stops what runs now: the turn ends with a result of another subtype than `success`, and a
   * prompt stream goes on with its next message. The turn of a string prompt may be stopped before it
   * has begun; else nothing happens while no turn runs.
   */
  async interrupt(): Promise<void> {
    this.#mustRun("interrupt");
    this.#run.interrupt();
  }

  /**
   * Changes the permission mode from the next decision on.
   *
   * @throws CastellanError `invalid_option` for a mode that is none, and for bypassPermissions without the danger flag.
   */
  async setPermissionMode(mode: PermissionMode | "yolo"): Promise<void> {
    this.#mustRun("setPermissionMode");
    await changeMode(await this.#run.session, mode);
  }

  /**
   * Adds working directories, absolute or relative to the start directory, for this session.
   *
   * @throws CastellanError `invalid_option`
   */
  async addDirectories(directories: readonly string[]): Promise<void> {
    this.#mustRun("addDirectories");
    await addDirectories(await this.#run.session, directories);
  }

  /**
   * Feeds more user messages, each with a result of its own, also beside a string prompt. Resolves when the stream
   * has been read to its end, or the session has ended.
   *
   * @throws CastellanError `invalid_option` for a message that is none, and whatever the stream throws; the session goes on.
   */
  async streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#mustRun("streamInput");
    await this.#run.stream(readMessageStream(messages));
  }

  /** Ends the session and waits until everything is written. Idempotent; the iterator ends without throwing. */
  close(): Promise<void> {
    return this.#run.close();
  }

  async #leave(): Promise<void> {
    this.#left = true;
    await this.close();
    this.#run.queue.discard();
  }

  #mustRun(method: string): void {
    if (!this.#ended) return;
    throw new CastellanError("query_closed", `${method}() came after the session had ended.`, {
      fix: "Start a query with `resume` to go on.",
    });
  }
}
