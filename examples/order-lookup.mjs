// @ts-check
// A tool that looks something up. What is not there is an answer too: with isError the model knows that it failed.
//
//   node examples/order-lookup.mjs
import { query, tool } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const orders = new Map([["A-7", { item: "lamp", state: "sent on Monday" }]]);

const findOrder = tool(
  "find_order",
  "Tells what was ordered and where it is.",
  { id: "string" },
  async ({ id }) => {
    const order = orders.get(id);
    if (order === undefined) {
      return { content: [{ type: "text", text: `There is no order ${id}.` }], isError: true };
    }
    return { content: [{ type: "text", text: `${order.item}: ${order.state}` }] };
  },
  { riskLevel: "low", annotations: { readOnlyHint: true } },
);

// The script stands for a model, as long as no other is named.
const script = scriptedModel([
  { toolCalls: [{ name: "find_order", input: { id: "A-7" } }] },
  { toolCalls: [{ name: "find_order", input: { id: "A-8" } }] },
  "Your lamp was sent on Monday. I found no order A-8.",
]);

const messages = [];
for await (const message of query({
  prompt: "Where are my orders A-7 and A-8?",
  options: { model: process.env.CASTELLAN_MODEL ?? script, tools: [findOrder], persistSession: false },
})) {
  messages.push(message);
}
console.log(transcript(messages));
