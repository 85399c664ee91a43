import type { FileMark, SessionEvent } from "../protocol/index.ts";
import { isNamed } from "./message-name.ts";

/** A path that was changed since a message of a person. */
export interface RewindEntry {
  readonly path: string;
  /** What stood there when the message came: what a rewind brings back. */
  readonly target: FileMark;
  /** What this session left there last. Absent: it is not known, for the call that changed it was cut off. */
  readonly last?: FileMark;
  /** What stood there before its last change: a process that was killed may not have come to that. */
  readonly untouched?: FileMark;
}

export type RewindPlan =
  | { readonly ok: true; readonly entries: readonly RewindEntry[] }
  | { readonly ok: false; readonly why: "no_message" | "no_checkpoints" };

/**
 * What is to be brought back so that files are as they were when a message came: for each path the first baseline since
 * then, and the last state that this session gave it. Pure. `no_checkpoints`: none was ever recorded in this log.
 *
 * @param userMessageId the `id` of a `user.message` event, or the `uuid` that the program gave the message.
 */
export function rewindPlan(events: Iterable<SessionEvent>, userMessageId: string): RewindPlan {
  const entries = new Map<string, RewindEntry>();
  let found = false;
  let kept = false;
  for (const event of events) {
    if (event.type === "user.message" && event.data.synthetic !== true)
      found ||= isNamed(event, userMessageId);
    if (event.type !== "file.checkpointed") continue;
    kept = true;
    if (!found) continue;
    for (const { path, before, after } of event.data.files) {
      const target = entries.get(path)?.target ?? before;
      // The first half of a change that began before the message: what stood there then is not known.
      if (target === undefined) continue;
      const last = after === undefined ? {} : { last: after };
      const untouched = before === undefined ? {} : { untouched: before };
      entries.set(path, { path, target, ...last, ...untouched });
    }
  }
  if (!found) return { ok: false, why: "no_message" };
  if (!kept) return { ok: false, why: "no_checkpoints" };
  return { ok: true, entries: [...entries.values()] };
}
