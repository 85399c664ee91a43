import type { TaskStatus } from "../task-status.ts";

export interface BackgroundStart {
  readonly callId: string;
  readonly line: string;
  readonly description?: string;
  readonly cwd: string;
  /** Milliseconds until it is ended. Absent: no limit. */
  readonly timeoutMs?: number;
  /** Called once, when it has ended and before that is recorded. Must not reject. */
  settle?(): Promise<void>;
}

/** How a background command stands. */
export interface BackgroundTask {
  readonly id: string;
  readonly callId: string;
  readonly command: string;
  readonly description?: string;
  readonly status: "running" | TaskStatus;
  readonly pid: number;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly note?: string;
}

/** A piece of output. */
export interface BackgroundOutput {
  readonly task: BackgroundTask;
  /** What came since the last read, as text. With `wholeLines` a last line without its end waits while it runs. */
  readonly text: string;
  /** Bytes that came since then and are not kept any more: they are older than `text`. */
  readonly dropped: number;
  /** Why output is missing, in one sentence. */
  readonly fault?: string;
}

export type BackgroundStarted =
  | { readonly ok: true; readonly task: BackgroundTask }
  | { readonly ok: false; readonly text: string };

/** Commands that run beside the conversation, for as long as the session is open. */
export interface BackgroundShells {
  /** Starts a line in a shell of its own. A refusal is a text that says why. */
  start(request: BackgroundStart): Promise<BackgroundStarted>;
  /** Undefined for an id that the session never gave. */
  get(id: string): BackgroundTask | undefined;
  /** All of this session, oldest first. */
  list(): readonly BackgroundTask[];
  /** What is new since the last read, and moves on. */
  read(id: string, options?: { readonly wholeLines?: boolean }): Promise<BackgroundOutput | undefined>;
  /** Resolves when the command has ended, the time is over or the signal has fired. */
  wait(id: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  /**
   * Ends it with all of its processes, and resolves once it is recorded. Nothing happens to one that has ended.
   *
   * @param by a sentence without its end that says who did it.
   * @param isTold the model learns of the end by itself.
   */
  stop(id: string, by: string, isTold: boolean): Promise<BackgroundTask | undefined>;
}
