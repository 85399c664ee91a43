import type { EventData, SDKCommon, SDKTaskNotification, SDKTaskStarted } from "../protocol/index.ts";

export function taskStarted(data: EventData<"task.started">, common: SDKCommon): SDKTaskStarted {
  return {
    type: "system",
    subtype: "task_started",
    ...common,
    task_id: data.taskId,
    tool_use_id: data.callId,
    task_type: data.kind,
    description: data.description ?? data.command,
  };
}

export function taskNotification(data: EventData<"task.finished">, common: SDKCommon): SDKTaskNotification {
  const { taskId, status, exitCode, signal, note } = data;
  const how =
    signal === undefined ? (exitCode === undefined ? "" : `exit code ${exitCode}`) : `signal ${signal}`;
  const summary = [`Background command ${taskId}: ${status}`, how, note ?? ""].filter((part) => part !== "");
  return {
    type: "system",
    subtype: "task_notification",
    ...common,
    task_id: taskId,
    status,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(signal === undefined ? {} : { signal }),
    summary: `${summary.join(", ").replace(/\.$/, "")}.`,
  };
}
