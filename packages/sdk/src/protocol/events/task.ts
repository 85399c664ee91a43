import type { TaskStatus } from "../task-status.ts";
import type { ArtifactRef } from "../tool.ts";
import type { Envelope } from "./envelope.ts";

/** A command of Bash that goes on beside the conversation. Written as soon as its process runs. */
export type TaskStarted = Envelope<
  "task.started",
  {
    readonly taskId: string;
    readonly kind: "shell";
    /** The call of Bash that started it. */
    readonly callId: string;
    readonly command: string;
    readonly description?: string;
    readonly cwd: string;
    readonly pid: number;
    /** When the process started, as a text that only fits this very process. Empty: the system does not tell. */
    readonly mark: string;
    /** The file that holds its output; absolute. */
    readonly spool: string;
  }
>;

/** The end of a background command, or of what is known about it. */
export type TaskFinished = Envelope<
  "task.finished",
  {
    readonly taskId: string;
    readonly status: TaskStatus;
    readonly exitCode?: number;
    readonly signal?: string;
    /** What a person should know of the end: by whom it was stopped, what may still run. */
    readonly note?: string;
    /** The end of its output, at most 1 MiB; absent where there was none, or it could not be kept. */
    readonly output?: ArtifactRef;
  }
>;
