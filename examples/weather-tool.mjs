// @ts-check
// A tool as one object, whose risk depends on its input: near forecasts run, far ones cost money and are asked about.
//
//   node examples/weather-tool.mjs
import { describe, query, tool } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const weather = tool({
  name: "weather",
  version: "2.0.0",
  description: "Forecasts the weather of a city.",
  inputSchema: {
    city: describe("string", "The city's English name."),
    days: describe("integer?", "How far ahead. Left out: today."),
  },
  riskLevel: ({ days = 0 }) => (days > 7 ? "medium" : "low"),
  annotations: { readOnlyHint: true, openWorldHint: true },
  timeoutMs: 10_000,
  summary: ({ city, days = 0 }) => `${city}, in ${days} days`,
  execute: async ({ city, days = 0 }) => ({
    success: true,
    output: { city, days, sky: days > 7 ? "clouds" : "sun" },
  }),
});

// The script stands for a model, as long as no other is named.
const script = scriptedModel([
  { toolCalls: [{ name: "weather", input: { city: "Bergen" } }] },
  { toolCalls: [{ name: "weather", input: { city: "Bergen", days: 14 } }] },
  "Sun in Bergen today, clouds in two weeks.",
]);

const messages = [];
for await (const message of query({
  prompt: "How is the weather in Bergen, today and in two weeks?",
  options: {
    model: process.env.CASTELLAN_MODEL ?? script,
    tools: [weather],
    canUseTool(name, input, { decisionReason }) {
      console.log(`Asked about ${name} ${JSON.stringify(input)}: ${decisionReason}`);
      return { behavior: "allow" };
    },
    persistSession: false,
  },
})) {
  messages.push(message);
}
console.log(transcript(messages));
