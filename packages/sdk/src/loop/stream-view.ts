import type { ModelPart } from "../model/index.ts";
import type { SDKStreamEvent } from "../protocol/index.ts";

/** Turns the parts of one answer into `stream_event` messages. */
export interface StreamView {
  part(part: ModelPart): void;
  /** Closes what is open. */
  end(): void;
}

type StreamBody = SDKStreamEvent["event"];
type Kind = "text" | "reasoning";

interface ToolBlock {
  readonly index: number;
  /** Input has gone out in deltas, so the whole at the end is a repetition. */
  sent: boolean;
}

/**
 * A delta costs one object and one push. All events of an answer share `uuid`, which tells
 * that they belong together; blocks are numbered as in the finished message. A text block begins with its first
 * character, since an empty one has no place there. Blocks follow each other, but for tool calls that a model
 * writes side by side.
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
  let blocks = 0;
  let open: { readonly kind: Kind; readonly index: number } | undefined;
  /** A reasoning block was announced and has nothing in it; provider data alone makes it one. */
  let isReasoningDue = false;
  const tools = new Map<string, ToolBlock>();
  const ended = new Set<string>();

  const send = (event: StreamBody): void => {
    emit({
      type: "stream_event",
      uuid: ids.uuid,
      session_id: ids.sessionId,
      parent_tool_use_id: null,
      event,
    });
  };

  function closeText(): void {
    isReasoningDue = false;
    if (open === undefined) return;
    send({ type: "content_block_stop", index: open.index });
    open = undefined;
  }

  function openText(kind: Kind): number {
    if (open?.kind === kind) return open.index;
    closeText();
    open = { kind, index: blocks };
    blocks += 1;
    const content_block =
      kind === "text" ? ({ type: "text", text: "" } as const) : ({ type: "thinking", thinking: "" } as const);
    send({ type: "content_block_start", index: open.index, content_block });
    return open.index;
  }

  function addText(kind: Kind, delta: string): void {
    if (delta === "") {
      if (open?.kind !== kind) announce(kind);
      return;
    }
    const index = openText(kind);
    send(
      kind === "text"
        ? { type: "content_block_delta", index, delta: { type: "text_delta", text: delta } }
        : { type: "content_block_delta", index, delta: { type: "thinking_delta", thinking: delta } },
    );
  }

  function announce(kind: Kind): void {
    closeText();
    isReasoningDue = kind === "reasoning";
  }

  function startTool(id: string, name: string): void {
    if (tools.has(id) || ended.has(id)) return;
    closeText();
    const index = blocks;
    blocks += 1;
    tools.set(id, { index, sent: false });
    send({ type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } });
  }

  function addInput(id: string, partial_json: string): void {
    const block = tools.get(id);
    if (block === undefined || partial_json === "") return;
    block.sent = true;
    send({
      type: "content_block_delta",
      index: block.index,
      delta: { type: "input_json_delta", partial_json },
    });
  }

  function endTool(id: string, whole: string | undefined): void {
    const block = tools.get(id);
    if (block === undefined) return;
    if (whole !== undefined && !block.sent) addInput(id, whole);
    tools.delete(id);
    ended.add(id);
    send({ type: "content_block_stop", index: block.index });
  }

  send({ type: "message_start", message: { id: ids.messageId, model: ids.model } });
  return {
    part(part) {
      switch (part.type) {
        case "text":
          addText("text", part.delta);
          return;
        case "reasoning":
          addText("reasoning", part.delta);
          return;
        case "block":
          announce(part.kind);
          return;
        case "meta":
          if (isReasoningDue) openText("reasoning");
          return;
        case "toolStart":
          startTool(part.id, part.name);
          return;
        case "toolDelta":
          addInput(part.id, part.delta);
          return;
        case "toolEnd":
          endTool(part.id, part.inputText);
          return;
        default:
          return;
      }
    },
    end() {
      closeText();
      for (const id of [...tools.keys()]) endTool(id, undefined);
      send({ type: "message_stop" });
    },
  };
}
