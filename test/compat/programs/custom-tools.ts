// Functions become tools: bundled in a server of this process, called by the model under their prefixed names.
import { createSdkMcpServer, query, type SdkMcpToolDefinition, tool } from "@castellan/sdk";

const orders = new Map([["7", "sent on Monday"]]);

const findOrder = tool(
  "find_order",
  "Tells where an order is.",
  { type: "object", properties: { id: { type: "string", pattern: "^[0-9]+$" } }, required: ["id"] },
  async ({ id }) => {
    const state = orders.get(id);
    if (state === undefined) return { content: [{ type: "text", text: `No order ${id}.` }], isError: true };
    return { content: [{ type: "text", text: `Order ${id} was ${state}.` }] };
  },
  { annotations: { readOnlyHint: true } },
);

const addUp = tool("add_up", "Adds numbers.", { numbers: ["number"] }, async ({ numbers }, extra) => {
  if (extra.signal.aborted) throw new Error("stopped");
  const sum = numbers.reduce((total, each) => total + each, 0);
  return { content: [{ type: "text", text: String(sum) }] };
});

const tools: SdkMcpToolDefinition[] = [findOrder, addUp];
const shop = createSdkMcpServer({ name: "shop", version: "1.0.0", tools });

const session = query({
  prompt: "Where are orders 7 and 8, and what is 2 + 3?",
  options: {
    tools: ["Read"],
    mcpServers: { shop },
    allowedTools: ["mcp__shop__find_order", "mcp__shop__add_up"],
  },
});
for await (const message of session) {
  if (message.type === "system" && message.subtype === "init") {
    console.log(message.mcp_servers.map(({ name, status }) => `${name} ${status}`).join(", "));
  }
  if (message.type === "user" && Array.isArray(message.message.content)) {
    for (const block of message.message.content) {
      if (block.type === "tool_result") console.log(JSON.stringify([block.content, block.is_error === true]));
    }
  }
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
