// @ts-check
// A tool that takes long, tells how far it is, and stops on its signal. Its result is kept, though it was stopped.
//
//   node examples/long-tool.mjs
import { setTimeout as sleep } from "node:timers/promises";
import { query, tool } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const copyPages = tool({
  name: "copy_pages",
  version: "1.0.0",
  description: "Copies pages of the archive, one after the other.",
  inputSchema: { pages: "integer" },
  riskLevel: "low",
  async execute({ pages }, { signal, progress }) {
    let copied = 0;
    while (copied < pages && !signal.aborted) {
      await sleep(20);
      copied += 1;
      progress({ copied, pages });
    }
    const why = signal.aborted ? `, stopped by ${signal.reason.code}` : "";
    console.log(`The handler ends: ${copied} of ${pages} pages${why}.`);
    return { success: true, output: { copied, pages } };
  },
});

// The script stands for a model, as long as no other is named.
const script = scriptedModel([
  { toolCalls: [{ name: "copy_pages", input: { pages: 10_000 } }] },
  "All pages are copied.",
]);

const session = query({
  prompt: "Copy 10,000 pages.",
  options: { model: process.env.CASTELLAN_MODEL ?? script, tools: [copyPages], persistSession: false },
});

const messages = [];
let told = 0;
for await (const message of session) {
  messages.push(message);
  if (message.type !== "tool_progress") continue;
  told += 1;
  if (told === 3) await session.interrupt(); // The signal of every running tool fires.
}
console.log(transcript(messages));
