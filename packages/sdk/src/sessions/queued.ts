import type { EventData } from "../protocol/index.ts";
import { withEntry, withoutEntry } from "./shared-map.ts";
import { NO_QUEUE, type SessionState } from "./state.ts";

/** A message waits from here on; under a name that waits already it is the same message. */
export function queueMessage(state: SessionState, data: EventData<"message.queued">): void {
  state.queue = withEntry(state.queue, data.message.uuid, data);
}

/** It waits no more: it is heard, or never will be. */
export function unqueueMessage(state: SessionState, uuid: string | undefined): void {
  if (uuid !== undefined) state.queue = withoutEntry(state.queue, uuid, NO_QUEUE);
}
