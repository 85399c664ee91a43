import type { ModelPart } from "../model/index.ts";
import type { SDKStreamEvent } from "../protocol/index.ts";

/** Turns the parts of one answer into `stream_event` messages. */
export interface StreamView {
  part(part: ModelPart): void;
  end(): void;
}

type StreamBody = SDKStreamEvent["event"];
type Kind = "text" | "reasoning" | "tool";

/**
 * A delta costs one object and one push. All events of an answer share `uuid`, which tells
 * that they belong together; blocks are numbered as in the finished message.
 */
export function createStreamView(
  ids: {
    readonly uuid: string;
    readonly sessionId: string;
    readonly messageId: string;
    readonly model: string;
  },
  emit: (message: SDKStreamEvent) => void,
): StreamView {
  let index = -1;
  let open: Kind | undefined;

  const send = (event: StreamBody): void => {
    emit({
      type: "stream_event",
      uuid: ids.uuid,
      session_id: ids.sessionId,
      parent_tool_use_id: null,
      event,
    });
  };
  const close = (): void => {
    if (open === undefined) return;
    open = undefined;
    send({ type: "content_block_stop", index });
  };
  const begin = (kind: Kind, tool?: { readonly id: string; readonly name: string }): void => {
    close();
    index += 1;
    open = kind;
    if (tool !== undefined) {
      send({ type: "content_block_start", index, content_block: { type: "tool_use", ...tool, input: {} } });
    } else if (kind === "text") {
      send({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
    } else {
      send({ type: "content_block_start", index, content_block: { type: "thinking", thinking: "" } });
    }
  };

  send({ type: "message_start", message: { id: ids.messageId, model: ids.model } });
  return {
    part(part) {
      switch (part.type) {
        case "text":
          if (open !== "text") begin("text");
          send({ type: "content_block_delta", index, delta: { type: "text_delta", text: part.delta } });
          return;
        case "reasoning":
          if (open !== "reasoning") begin("reasoning");
          send({
            type: "content_block_delta",
            index,
            delta: { type: "thinking_delta", thinking: part.delta },
          });
          return;
        case "block":
          begin(part.kind);
          return;
        case "toolStart":
          begin("tool", { id: part.id, name: part.name });
          return;
        case "toolDelta":
          send({
            type: "content_block_delta",
            index,
            delta: { type: "input_json_delta", partial_json: part.delta },
          });
          return;
        case "toolEnd":
          if (part.inputText !== undefined) {
            send({
              type: "content_block_delta",
              index,
              delta: { type: "input_json_delta", partial_json: part.inputText },
            });
          }
          close();
          return;
        default:
          return;
      }
    },
    end() {
      close();
      send({ type: "message_stop" });
    },
  };
}
