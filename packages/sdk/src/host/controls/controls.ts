import type {
  ApprovalRecord,
  BackgroundTask,
  McpServerStatus,
  PermissionMode,
  SDKUserMessage,
} from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import type { RewindFilesOptions, RewindFilesResult } from "../opening/session-files.ts";
import { badOption, shown } from "../options/fault.ts";
import { readMessageStream } from "../options/params.ts";
import type { Options } from "../options/types.ts";
import type { InterruptReceipt } from "../running/interrupt.ts";
import type { SessionRun } from "../running/session-run.ts";
import { type CancelReceipt, cancelMessage } from "./cancel-message.ts";
import { changeModel, changeThinking } from "./change-model.ts";
import { addDirectories, changeMode } from "./change-policy.ts";
import type { ContextUsage } from "./context-usage.ts";
import { pendingApprovals } from "./pending-approvals.ts";
import { rewindFiles } from "./rewind-files.ts";

/** The run behind the controls, for this room only; called as the constructor's `run` is. */
export let runOf: (controls: SessionControls) => SessionRun;

/** What steers a session from outside, beside its messages: the same for `Query` and `AgentClient`. */
export abstract class SessionControls {
  readonly #run: () => SessionRun;

  static {
    runOf = (controls) => controls.#run();
  }

  /** @param run the session; called when it is first needed, and at every use from then on. */
  constructor(run: () => SessionRun) {
    this.#run = run;
  }

  /**
   * Stops what runs now: the turn ends with a result of another subtype than `success`, and the
   * session goes on with its next message. A turn that has been asked for and has yet to begin is stopped too;
   * else nothing happens while no turn runs. No message is lost: the receipt says whether a turn is stopped, and what
   * still waits. It comes at once and does not wait for the result; before a prompt stream has been looked at for the
   * first time, it comes then.
   *
   * @throws CastellanError `query_closed`
   */
  async interrupt(): Promise<InterruptReceipt> {
    return this.#running("interrupt").interrupt();
  }

  /**
   * Changes the permission mode from the next decision on, also in the middle of a turn.
   *
   * @throws CastellanError `invalid_option` for a mode that is none, and for bypassPermissions without the danger flag;
   * `query_closed`
   */
  async setPermissionMode(mode: PermissionMode | "yolo"): Promise<void> {
    await changeMode(await this.#running("setPermissionMode").session, mode);
  }

  /**
   * Changes the model from the next model request on. The log keeps it, so a resume goes on with it. The key in
   * `options.auth` is only used for the provider that it was given for.
   *
   * @param model as the option `model`; `undefined` goes back to the one that this run began with.
   * @throws CastellanError `invalid_option`, `invalid_model` or `missing_key`, and the old model stays; `query_closed`
   */
  async setModel(model?: Options["model"]): Promise<void> {
    await changeModel(await this.#running("setModel").session, model);
  }

  /**
   * Sets how many tokens the model may think for, from the next model request on.
   *
   * @param tokens at least 1,024; 0 for no thinking; `null` for what the option `thinking` says.
   * @throws CastellanError `invalid_option`, `query_closed`
   */
  async setMaxThinkingTokens(tokens: number | null): Promise<void> {
    changeThinking(await this.#running("setMaxThinkingTokens").session, tokens);
  }

  /**
   * Adds working directories, absolute or relative to the start directory, for this session.
   *
   * @throws CastellanError `invalid_option`, `query_closed`
   */
  async addDirectories(directories: readonly string[]): Promise<void> {
    await addDirectories(await this.#running("addDirectories").session, directories);
  }

  /**
   * Feeds more user messages, each with a result of its own, also beside a string prompt. Resolves when the stream
   * has been read to its end, or the session has ended.
   *
   * @throws CastellanError `invalid_option` for a message that is none, `query_closed`, and whatever the stream throws;
   * the session goes on.
   */
  async streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    await this.#running("streamInput").stream(readMessageStream(messages));
  }

  /**
   * Takes back a message that waits to be heard, also one that an earlier run left. It has no result then. A turn that a
   * message of priority `now` has stopped stays stopped.
   *
   * @param uuid the `uuid` that the message was given with, or that `interrupt()` told. Of several with one name all are
   * taken back.
   * @throws CastellanError `invalid_option` for what is no name, `query_closed`, `store_failed`
   */
  async cancelMessage(uuid: string): Promise<CancelReceipt> {
    return cancelMessage(this.#running("cancelMessage"), uuid);
  }

  /**
   * How the servers of `mcpServers` fare at this moment, in their order, each with its tools.
   *
   * @throws CastellanError `query_closed`
   */
  async mcpServerStatus(): Promise<readonly McpServerStatus[]> {
    return (await this.#running("mcpServerStatus").session).servers.status();
  }

  /** The same as `mcpServerStatus()`. */
  getMcpStatus(): Promise<readonly McpServerStatus[]> {
    return this.mcpServerStatus();
  }

  /**
   * How the next request fills the model's context window: tokens in all and by part, and when the history is summed up.
   *
   * @throws CastellanError `query_closed`
   */
  async getContextUsage(): Promise<ContextUsage> {
    const { log, context, models, instructions } = await this.#running("getContextUsage").session;
    // A session that rests has its history in the log alone.
    await log.wake();
    const { contextUsage } = await import("./context-usage.ts");
    return contextUsage(context, log, models.current(), instructions);
  }

  /**
   * Brings files back to what they held when a message of a person came: what the session has changed since is restored,
   * what it made is removed, what it removed is made again, with modes. The conversation stays as it is. Files that
   * somebody else has changed since are left alone and told, unless `force` is given.
   *
   * @param userMessageId `uuid` of a message of type `user` that a person sent, as the iterator gave it, or as the program
   * named it.
   * @throws CastellanError `invalid_option`, `store_failed`, `query_closed`
   */
  async rewindFiles(userMessageId: string, options: RewindFilesOptions = {}): Promise<RewindFilesResult> {
    return rewindFiles(await this.#running("rewindFiles").session, userMessageId, options);
  }

  /**
   * The commands that Bash has started in the background, oldest first, those that have ended too.
   *
   * @throws CastellanError `query_closed`
   */
  async backgroundTasks(): Promise<readonly BackgroundTask[]> {
    return (await this.#running("backgroundTasks").session).shells.list();
  }

  /**
   * Ends a background task with all of its processes, and resolves once that is recorded. The model is told with its next
   * request. Nothing happens to one that has ended.
   *
   * @throws CastellanError `invalid_option` for an id that the session never gave, `query_closed`
   */
  async stopTask(taskId: string): Promise<BackgroundTask> {
    const { shells } = await this.#running("stopTask").session;
    const task = await shells.stop(taskId, "Ended by a person", false);
    if (task !== undefined) return task;
    const must = "Take an id of backgroundTasks().";
    throw badOption("taskId", `stopTask() was given ${shown(taskId)}, which is no background task.`, must);
  }

  /**
   * The calls of this session that wait in the inbox, in the order in which they were asked about. Decide about them with
   * `host.approvals`.
   *
   * @throws CastellanError `query_closed`, `store_failed`
   */
  async pendingApprovals(): Promise<readonly ApprovalRecord[]> {
    return pendingApprovals(await this.#running("pendingApprovals").session);
  }

  /** Ends the session and waits until everything is written. Idempotent; the iterator ends without throwing. */
  close(): Promise<void> {
    return this.#run().close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #running(method: string): SessionRun {
    const run = this.#run();
    if (!run.isOver()) return run;
    throw new CastellanError("query_closed", `${method}() came after the session had ended.`, {
      fix: "Start a query with `resume` to go on.",
    });
  }
}
