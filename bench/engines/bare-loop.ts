import { MODEL, prompt, readRow, type Session, SYSTEM, TOOL } from "../task.ts";
import { createEvents, type WireEvent } from "./sse-events.ts";

/** Posts a body and hands over the text of the answer as it comes. */
export type Post = (url: string, body: string, onText: (text: string) => void) => Promise<void>;

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  text?: string;
  input?: unknown;
}

/** What a program without an SDK would write: messages in an array, encoded whole for every request. */
export async function bareLoop(session: Session, post: Post): Promise<string> {
  const messages: object[] = [{ role: "user", content: prompt(session) }];
  for (;;) {
    const blocks: Block[] = [];
    const json: string[] = [];
    const events = createEvents((event) => take(event, blocks, json, session));
    const body = {
      model: MODEL,
      max_tokens: 8_192,
      stream: true,
      system: SYSTEM,
      tools: [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.schema }],
      messages,
    };
    await post(`${session.url}/v1/messages`, JSON.stringify(body), events);
    messages.push({ role: "assistant", content: blocks });
    const results = blocks
      .filter((block) => block.type === "tool_use")
      .map((block) => ({
        type: "tool_result",
        tool_use_id: block.id,
        content: readRow((block.input as { n: number }).n, session),
      }));
    if (results.length === 0) return blocks.map((block) => block.text ?? "").join("");
    messages.push({ role: "user", content: results });
  }
}

function take(
  { type, index, content_block, delta }: WireEvent,
  blocks: Block[],
  json: string[],
  session: Session,
): void {
  const block = blocks[index];
  if (type === "content_block_start") {
    blocks[index] = { ...content_block };
    json[index] = "";
  } else if (type === "content_block_delta" && block !== undefined) {
    if (delta.type === "text_delta") {
      block.text += delta.text;
      session.onDelta?.(delta.text);
    } else json[index] += delta.partial_json;
  } else if (type === "content_block_stop" && block?.type === "tool_use") {
    block.input = JSON.parse(json[index] || "{}");
  }
}
