// @ts-check
// A bundle of tools whose names the model sees as they are: find_order instead of mcp__shop__find_order.
//
//   node examples/bare-names.mjs
import { createSdkMcpServer, query, tool } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const stock = new Map([["lamp", 3]]);

const findItem = tool(
  "find_item",
  "Tells how many of an item are in stock.",
  { item: "string" },
  ({ item }) => ({ success: true, output: `${stock.get(item) ?? 0} of ${item}` }),
  { riskLevel: "low", annotations: { readOnlyHint: true } },
);
const takeItem = tool(
  "take_item",
  "Takes one of an item out of the stock.",
  { item: "string" },
  ({ item }) => {
    const left = (stock.get(item) ?? 0) - 1;
    if (left < 0) return { success: false, summary: `There is no ${item} left.` };
    stock.set(item, left);
    return { success: true, output: `${left} of ${item} are left.` };
  },
);

const shop = createSdkMcpServer({ name: "shop", prefix: false, tools: [findItem, takeItem] });

// The script stands for a model, as long as no other is named.
const script = scriptedModel([
  { toolCalls: [{ name: "find_item", input: { item: "lamp" } }] },
  { toolCalls: [{ name: "take_item", input: { item: "lamp" } }] },
  "You have your lamp.",
]);

const messages = [];
for await (const message of query({
  prompt: "Get me a lamp.",
  options: {
    model: process.env.CASTELLAN_MODEL ?? script,
    tools: ["Read"], // Tools of servers need no place here: they are visible beside it.
    mcpServers: { shop },
    allowedTools: ["take_item"], // Of high risk, because it says nothing else: without a rule it would be asked about.
    persistSession: false,
  },
})) {
  messages.push(message);
}
console.log(transcript(messages));
console.log(`Lamps in stock: ${stock.get("lamp")}`);
