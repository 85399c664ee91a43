// @ts-check
// One tool in one server, served to two queries at the same time. A server is plain data: nothing is opened or closed.
//
//   node examples/two-queries.mjs
import { setTimeout as sleep } from "node:timers/promises";
import { createSdkMcpServer, query, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";

let inside = 0;
let most = 0;
const measure = tool(
  "measure",
  "Measures the temperature of a room.",
  { room: "string" },
  async ({ room }) => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(300);
    inside -= 1;
    return { success: true, output: `${room}: ${room === "kitchen" ? 21 : 17} degrees` };
  },
  { riskLevel: "low", annotations: { readOnlyHint: true } },
);
const house = createSdkMcpServer({ name: "house", tools: [measure] });

/** @param {string} room */
async function ask(room) {
  // The script stands for a model, as long as no other is named. Its second turn repeats what the tool said.
  const script = scriptedModel([
    { toolCalls: [{ name: "mcp__house__measure", input: { room } }] },
    ({ messages }) => `I read: ${JSON.stringify(messages.at(-1)?.parts).match(/\w+: \d+ degrees/)?.[0]}`,
  ]);
  for await (const message of query({
    prompt: `How warm is the ${room}?`,
    options: {
      model: process.env.CASTELLAN_MODEL ?? script,
      tools: ["Read"],
      mcpServers: { house },
      persistSession: false,
    },
  })) {
    if (message.type === "result") console.log(`${room} > ${message.result ?? message.errors}`);
  }
}

await Promise.all([ask("kitchen"), ask("cellar")]);
console.log(`Calls at the same time: ${most}`);
