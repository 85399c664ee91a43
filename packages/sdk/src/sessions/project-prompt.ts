import type { SDKUserBlock, SDKUserMessageOut, UserMessageEvent, UserPart } from "../protocol/index.ts";
import type { SessionState } from "./state.ts";

/** A person's message as the iterator gives it back; none for one that we made. Pure. */
export function projectPrompt(event: UserMessageEvent, state: SessionState): readonly SDKUserMessageOut[] {
  if (event.data.synthetic === true) return [];
  const { parts, uuid = event.id } = event.data.message;
  return [
    {
      type: "user",
      ...{ uuid, session_id: state.sessionId },
      parent_tool_use_id: null,
      isReplay: true,
      message: { role: "user", content: parts.map(blockOf) },
    },
  ];
}

function blockOf(part: UserPart): SDKUserBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  const { ref, mediaType } = part;
  if (ref.kind === "url") return { type: "image", source: { type: "url", url: ref.url } };
  if (ref.kind === "data") {
    return { type: "image", source: { type: "base64", media_type: mediaType, data: ref.base64 } };
  }
  return { type: "text", text: `[${mediaType}]` };
}
