import type { BackgroundTask, EventData } from "../../protocol/index.ts";
import { cutAt } from "../../tools/index.ts";

/** A background command as its events tell of it. */
export function taskOf(
  id: string,
  logged: { readonly started: EventData<"task.started">; readonly finished?: EventData<"task.finished"> },
): BackgroundTask {
  const { callId, command, description, pid } = logged.started;
  const { status = "running", exitCode, signal, note } = logged.finished ?? {};
  return {
    ...{ id, callId, command, status, pid },
    ...(description === undefined ? {} : { description }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(note === undefined ? {} : { note }),
  };
}

/** How it stands, in one line without an end. */
export function statusWords({ status, exitCode, signal, note }: BackgroundTask): string {
  if (status === "running") return "still running";
  const why = note === undefined ? "" : `: ${note.replace(/\.$/, "")}`;
  if (status === "lost" || status === "left") return `${status}${why}`;
  const how =
    signal !== undefined
      ? `ended by the signal ${signal}`
      : exitCode === undefined
        ? "ended"
        : `exit code ${exitCode}`;
  return `${status}, ${how}${why}`;
}

/** What the model is told when one has ended by itself. */
export function describeEnd(task: BackgroundTask): string {
  const line = task.command.trim().split("\n", 1)[0] ?? "";
  return `[Background command ${task.id} (${cutAt(line, 100)}): ${statusWords(task)}. BashOutput gives what it printed.]`;
}
