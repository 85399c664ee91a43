import type { SDKMessage, SDKUserMessageOut, SessionEvent, UserMessageEvent } from "../protocol/index.ts";
import { apply } from "./apply.ts";
import { messageName } from "./message-name.ts";
import { project } from "./project.ts";
import { userBlock } from "./project-prompt.ts";
import { emptyState } from "./state.ts";
import { upcast } from "./upcast.ts";

/**
 * The messages of a stored session as its iterator gave them, with those of its user among them: in that order, under
 * the same `uuid`.
 *
 * @throws `log_too_new` and `log_corrupt`, as `fold()`
 */
export function transcript(events: Iterable<SessionEvent>): SDKMessage[] {
  const state = emptyState();
  const messages: SDKMessage[] = [];
  for (const event of events) {
    const current = upcast(event, state.release);
    if (current !== undefined) {
      apply(state, current);
      if (current.type === "user.message") messages.push(userMessage(current, state.sessionId));
      else messages.push(...project(current, state));
    }
    state.lastSeq = event.seq;
  }
  return messages;
}

function userMessage(event: UserMessageEvent, sessionId: string): SDKUserMessageOut {
  const { parts } = event.data.message;
  const [first, ...others] = parts;
  const isText = first?.type === "text" && others.length === 0;
  return {
    type: "user",
    uuid: messageName(event),
    session_id: sessionId,
    parent_tool_use_id: null,
    message: { role: "user", content: isText ? first.text : parts.map(userBlock) },
  };
}
