import type { EventData } from "../protocol/index.ts";
import { NO_QUEUE, type SessionState } from "./state.ts";

type Queue = Map<string, EventData<"message.queued">>;

/** A message waits from here on; under a name that waits already it is the same message. */
export function queueMessage(state: SessionState, data: EventData<"message.queued">): void {
  if (state.queue === NO_QUEUE) state.queue = new Map();
  (state.queue as Queue).set(data.message.uuid, data);
}

/** It waits no more: it is heard, or never will be. */
export function unqueueMessage(state: SessionState, uuid: string | undefined): void {
  if (uuid === undefined || !state.queue.has(uuid)) return;
  (state.queue as Queue).delete(uuid);
  if (state.queue.size === 0) state.queue = NO_QUEUE;
}
