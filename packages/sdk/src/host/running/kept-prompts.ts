import { compactWish } from "../../loop/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { UserMessage } from "../../protocol/index.ts";
import type { SessionLog, SessionState } from "../../sessions/index.ts";
import { isUrgent, type Prompt } from "./user-message.ts";

/** What the queue of a session is written with. */
export interface QueueLog {
  readonly log: Pick<SessionLog, "state" | "record" | "barrier">;
  readonly platform: Pick<Platform, "ids">;
}

/** Whether a message is in the log and waits there. */
export function isKept({ uuid }: Prompt, session: QueueLog | undefined): boolean {
  return uuid !== undefined && session?.log.state.queue.has(uuid) === true;
}

/** A call waits for somebody's word, or sleeps: for days, it may be, and in other processes. */
function waitsForLong({ approvals, timers }: SessionState): boolean {
  if (approvals.size > 0) return true;
  return timers.size > 0 && [...timers.values()].some(({ set }) => set.kind === "sleep");
}

/**
 * Records what waits, where a call waits that may wait for days: a message without a name gets one. The order to sum up
 * is no message, and is not kept.
 *
 * @returns the same messages with their names; undefined where nothing was recorded.
 */
export function keepPrompts(
  waiting: readonly Prompt[],
  { log, platform }: QueueLog,
): readonly Prompt[] | undefined {
  const { state } = log;
  if (waiting.length === 0 || !waitsForLong(state)) return undefined;
  let isNew = false;
  const kept = waiting.map((prompt) => {
    const { message, priority, uuid = platform.ids.uuid() } = prompt;
    if (state.queue.has(uuid) || compactWish(message) !== undefined) return prompt;
    isNew = true;
    const named = { ...message, uuid };
    log.record("message.queued", { message: named, priority });
    return { message: named, priority, uuid };
  });
  return isNew ? kept : undefined;
}

/** What an earlier run left, in the order in which it is heard: all that is kept and that nobody here knows of. */
export function leftPrompts(session: QueueLog | undefined, known: readonly Prompt[]): readonly UserMessage[] {
  const queue = session?.log.state.queue;
  if (queue === undefined || queue.size === 0) return NONE;
  const names = new Set(known.map(({ uuid }) => uuid));
  const left = [...queue.values()].filter(({ message }) => !names.has(message.uuid));
  return [...left.filter(isUrgent), ...left.filter((each) => !isUrgent(each))].map(({ message }) => message);
}

const NONE: readonly UserMessage[] = [];
