import type { SDKMessage } from "../protocol/index.ts";
import { SessionControls } from "./controls.ts";
import type { SessionRun } from "./session-run.ts";

/** The run behind a query, for the doors of this room. */
let runBehind: (query: Query) => SessionRun;

/**
 * A running session: an async generator of messages with control methods beside it.
 *
 * It begins at once, read or not. The iterator ends after the last result and does not throw, with one
 * exception: an aborted `abortController` makes it throw `AbortError` behind the result message.
 */
export class Query extends SessionControls implements AsyncGenerator<SDKMessage, void, undefined> {
  readonly #run: SessionRun;
  /** The reader has gone: `return()` or `throw()` was called. */
  #left = false;

  static {
    runBehind = (query) => query.#run;
  }

  /** Made by `query()` and `Host.query()`. */
  constructor(run: SessionRun) {
    super(() => run);
    this.#run = run;
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

  async #leave(): Promise<void> {
    this.#left = true;
    await this.close();
    this.#run.queue.discard();
  }
}

/** What runs behind a query. */
export function runOf(query: Query): SessionRun {
  return runBehind(query);
}
