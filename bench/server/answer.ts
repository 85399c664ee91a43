import { MODEL, TOOL } from "../task.ts";

function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const START = event({
  type: "message_start",
  message: {
    id: "msg_bench",
    type: "message",
    role: "assistant",
    model: MODEL,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 1_000,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    },
  },
});
const OPEN_TEXT = event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
const delta = (index: number, delta: object): string => event({ type: "content_block_delta", index, delta });
const close = (index: number): string => event({ type: "content_block_stop", index });
const end = (reason: string): string =>
  event({
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 40 },
  }) + event({ type: "message_stop" });

const SAY = ["I read ", "the next ", "row."].map((text) => delta(0, { type: "text_delta", text })).join("");
const END_CALL = close(1) + end("tool_use");

/** An answer that says a little and asks for one row; it goes out in one piece. */
export function callAnswer(row: number): string {
  const id = `toolu_${String(row).padStart(6, "0")}`;
  const content_block = { type: "tool_use", id, name: TOOL.name, input: {} };
  return (
    START +
    OPEN_TEXT +
    SAY +
    close(0) +
    event({ type: "content_block_start", index: 1, content_block }) +
    delta(1, { type: "input_json_delta", partial_json: '{"n":' }) +
    delta(1, { type: "input_json_delta", partial_json: ` ${row}}` }) +
    END_CALL
  );
}

export const TEXT_START: string = START + OPEN_TEXT;
export const TEXT_END: string = close(0) + end("end_turn");
export const WORD: string = delta(0, { type: "text_delta", text: "rows " });
