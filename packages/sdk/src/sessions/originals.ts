import type { Message, SessionEvent } from "../protocol/index.ts";
import { apply } from "./apply.ts";
import { emptyState } from "./state.ts";
import { upcast } from "./upcast.ts";

/** A message as it joined the history. */
export interface Original {
  readonly message: Message;
  /** `seq` of the event with which it joined. */
  readonly seq: number;
  /** A person wrote it; false for what models, tools and this library said. */
  readonly isPersons: boolean;
}

/**
 * The messages that events add up to as if nothing had ever been summed up: every one that a model got at some time, in
 * its order.
 *
 * @param events from the first on, or from behind a point at which no round was open.
 * @throws `log_too_new` and `log_corrupt`, as `fold()`
 */
export function originals(events: Iterable<SessionEvent>): Original[] {
  const state = emptyState();
  const found: Original[] = [];
  const synthetic = new Set<Message>();
  for (const event of events) {
    const current = upcast(event, state.release);
    if (current === undefined || current.type === "compacted") continue;
    apply(state, current);
    if (current.type === "user.message" && current.data.synthetic === true) {
      synthetic.add(current.data.message);
    }
    for (let at = found.length; at < state.messages.length; at += 1) {
      const message = state.messages[at] as Message;
      found.push({ message, seq: event.seq, isPersons: message.role === "user" && !synthetic.has(message) });
    }
  }
  return found;
}
