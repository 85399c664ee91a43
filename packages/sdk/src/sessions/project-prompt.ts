import type { SDKUserBlock, SDKUserMessageOut, UserMessageEvent, UserPart } from "../protocol/index.ts";
import { fileBlock } from "./blocks.ts";
import { messageName } from "./message-name.ts";
import type { SessionState } from "./state.ts";

/** A person's message as the iterator gives it back; none for one that we made. Pure. */
export function projectPrompt(event: UserMessageEvent, state: SessionState): readonly SDKUserMessageOut[] {
  if (event.data.synthetic === true) return [];
  return [
    {
      type: "user",
      ...{ uuid: messageName(event), session_id: state.sessionId },
      parent_tool_use_id: null,
      isReplay: true,
      message: { role: "user", content: event.data.message.parts.map(userBlock) },
    },
  ];
}

/** A part of a person's message, in the shape of the Messages API. */
export function userBlock(part: UserPart): SDKUserBlock {
  return part.type === "text" ? { type: "text", text: part.text } : fileBlock(part);
}
