// @ts-check
// A conversation: one client, asked and read in turns. The model knows what was said before.
//
//   node examples/multi-turn-client.mjs
import { AgentClient, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";

/** @type {string[]} */
const basket = [];
const put = tool("put", "Puts an item into the basket.", { item: "string" }, ({ item }) => {
  basket.push(item);
  return { success: true, output: `In the basket: ${basket.join(", ")}` };
});

// The script stands for a model, as long as no other is named. Its last turn quotes what it was sent.
const script = scriptedModel([
  { toolCalls: [{ name: "put", input: { item: "bread" } }] },
  "Bread is in the basket.",
  { toolCalls: [{ name: "put", input: { item: "wine" } }] },
  "I may not put in anything now.",
  ({ messages }) =>
    `Bread. You began with: ${JSON.stringify(messages[0]?.parts).match(/Put bread[^"]*/)?.[0]}`,
]);

const client = new AgentClient({
  model: process.env.CASTELLAN_MODEL ?? script,
  tools: [put],
  allowedTools: ["put"],
  persistSession: false,
});

/** @param {string} prompt */
async function ask(prompt) {
  console.log(`> ${prompt}`);
  await client.query(prompt);
  for await (const message of client.receiveResponse()) {
    if (message.type === "system" && message.subtype === "permission_denied") console.log(message.message);
    if (message.type === "result") console.log(message.result ?? message.errors);
  }
}

try {
  await ask("Put bread into the basket.");
  await client.setPermissionMode("plan"); // From the next decision on: look, but change nothing.
  await ask("And wine.");
  await client.setPermissionMode("default");
  await ask("What is in it?");
} finally {
  await client.close(); // TypeScript and Node 24 can write `await using client` instead.
}
console.log(`Basket: ${basket.join(", ")}`);
