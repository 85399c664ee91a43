import type { SDKMessage } from "../protocol/index.ts";
import { runOf, SessionControls } from "./controls/controls.ts";
import type { SessionRun } from "./running/session-run.ts";

/**
 * A running session: an async generator of messages with control methods beside it.
 *
 * It begins at once, read or not. The iterator ends after the last result and does not throw, with one
 * exception: an aborted `abortController` makes it throw `AbortError` behind the result message.
 */
export class Query extends SessionControls implements AsyncGenerator<SDKMessage, void, undefined> {
  /** The reader has gone: `return()` or `throw()` was called. */
  #left = false;

  /** Made by `query()` and `Host.query()`. */
  constructor(run: SessionRun) {
    super(() => run);
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#left ? Promise.resolve({ done: true, value: undefined }) : runOf(this).queue.next();
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

  async #leave(): Promise<void> {
    this.#left = true;
    await this.close();
    runOf(this).queue.discard();
  }
}
