import type { BackgroundTask } from "../../protocol/index.ts";

const MOST_NAMED = 20;

/** What the model reads where it names a command that is none. */
export function unknownTask(id: string, tasks: readonly BackgroundTask[]): string {
  const shown = JSON.stringify(id.slice(0, 100));
  if (tasks.length === 0) return `There is no background command ${shown}: this session has started none.`;
  const names = tasks.slice(-MOST_NAMED).map((task) => `${task.id} (${task.status})`);
  return `There is no background command ${shown}. Those of this session: ${names.join(", ")}.`;
}
