import type { PermissionMode, SDKMessage, SDKUserMessage } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { pumpPrompts } from "./inbox.ts";
import { changePolicy, type SessionRun } from "./session-run.ts";

/**
 * A running session: an async generator of messages with control methods beside it.
 *
 * It begins at once, read or not. The iterator ends after the last result and does not throw, with one
 * exception: an aborted `abortController` makes it throw `AbortError` behind the result message.
 */
export class Query implements AsyncGenerator<SDKMessage, void, undefined> {
  readonly #run: SessionRun;
  #ended = false;

  /** Made by `query()` and `Host.query()`. */
  constructor(run: SessionRun) {
    this.#run = run;
    void run.ended.then(() => {
      this.#ended = true;
    });
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#run.queue.next();
  }

  /** Leaving a `for await` early closes the session. */
  async return(): Promise<IteratorResult<SDKMessage, void>> {
    await this.close();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<SDKMessage, void>> {
    await this.close();
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
   * prompt stream goes on with its next message. Nothing happens while no turn runs.
   */
  async interrupt(): Promise<void> {
    this.#mustRun("interrupt");
    await this.#run.session.catch(() => {});
    this.#run.interrupt("interrupt");
  }

  /**
   * Changes the permission mode from the next decision on.
   *
   * @throws CastellanError `invalid_option` for bypassPermissions without the danger flag.
   */
  async setPermissionMode(mode: PermissionMode | "yolo"): Promise<void> {
    this.#mustRun("setPermissionMode");
    await changePolicy(this.#run, { mode });
  }

  /** Adds working directories, absolute or relative to the start directory, for this session. */
  async addDirectories(directories: readonly string[]): Promise<void> {
    this.#mustRun("addDirectories");
    await changePolicy(this.#run, { type: "addDirectories", directories, destination: "session" });
  }

  /** Feeds more user messages; resolves when the stream has been read to its end. */
  async streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#mustRun("streamInput");
    await pumpPrompts(messages, this.#run.inbox, new AbortController().signal);
  }

  /** Ends the session and waits until everything is written. Idempotent; the iterator ends without throwing. */
  close(): Promise<void> {
    return this.#run.close();
  }

  #mustRun(method: string): void {
    if (!this.#ended) return;
    throw new CastellanError("query_closed", `${method}() came after the session had ended.`, {
      fix: "Start a query with `resume` to go on.",
    });
  }
}
