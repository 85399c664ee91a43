import type { EventData, SpawnedProcess, TaskStatus } from "../../protocol/index.ts";

type Ended = Awaited<SpawnedProcess["ended"]>;
type End = Pick<EventData<"task.finished">, "status" | "exitCode" | "signal" | "note">;

/**
 * How a command ended, as the log has it.
 *
 * @param ended undefined: it did not end although it was killed.
 * @param by who stopped it.
 */
export function endOf(ended: Ended | undefined, by: string | undefined): End {
  const note = by === undefined ? {} : { note: by };
  if (ended === undefined)
    return { status: "stopped", note: `${by ?? "Stopped"}; it did not end when it was killed` };
  if (ended.kind === "failed") return { status: "failed", note: ended.message };
  const how = {
    ...(ended.code === null ? {} : { exitCode: ended.code }),
    ...(ended.signal === null ? {} : { signal: ended.signal }),
  };
  const status: TaskStatus = by !== undefined ? "stopped" : ended.code === 0 ? "completed" : "failed";
  return { status, ...how, ...note };
}
