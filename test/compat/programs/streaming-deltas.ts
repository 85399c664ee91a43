// Prints an answer while it is being written, and the input of a call as it comes.
import { query, type SDKPartialAssistantMessage } from "@castellan/sdk";

let shown = "";
let input = "";

function show({ event }: SDKPartialAssistantMessage): void {
  if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
    console.log(`begins to call ${event.content_block.name}`);
  }
  if (event.type !== "content_block_delta") return;
  if (event.delta.type === "text_delta") shown += event.delta.text;
  if (event.delta.type === "input_json_delta") input += event.delta.partial_json;
}

let pieces = 0;
for await (const message of query({
  prompt: "Look for notes and tell.",
  options: { tools: ["Glob"], allowedTools: ["Glob"], includePartialMessages: true },
})) {
  if (message.type === "stream_event") {
    pieces += 1;
    show(message);
  }
  if (message.type === "result" && message.subtype === "success") {
    console.log(`input: ${JSON.stringify(JSON.parse(input))}`);
    console.log(`shown: ${shown}`);
    console.log(`in pieces: ${pieces > 8}, as the result has it: ${shown.endsWith(message.result)}`);
  }
}
