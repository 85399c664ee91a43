// @ts-check
// A whole JSON Schema, with an enum and ranges. The model sees it, and what does not fit never reaches the handler.
//
//   node examples/json-schema.mjs
import { query, tool } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

let dimmed = 0;

const setLamp = tool(
  "set_lamp",
  "Sets colour and brightness of the lamp.",
  {
    type: "object",
    properties: {
      colour: { enum: ["warm", "cold"], description: "The shade of white." },
      percent: { type: "integer", minimum: 0, maximum: 100 },
      seconds: { type: "number", exclusiveMinimum: 0, description: "How long it takes. Left out: at once." },
    },
    required: ["colour", "percent"],
    additionalProperties: false,
  },
  ({ colour, percent }) => {
    dimmed += 1;
    return { success: true, output: `The lamp is ${colour}, at ${percent} %.` };
  },
  { riskLevel: "low", annotations: { idempotentHint: true } },
);

// The script stands for a model, as long as no other is named. Its first two tries do not fit.
const script = scriptedModel([
  { toolCalls: [{ name: "set_lamp", input: { colour: "pink", percent: 140 } }] },
  { toolCalls: [{ name: "set_lamp", input: { colour: "warm", percent: 40, room: "kitchen" } }] },
  { toolCalls: [{ name: "set_lamp", input: { colour: "warm", percent: 40 } }] },
  "The lamp is warm now, at 40 %.",
]);

const messages = [];
for await (const message of query({
  prompt: "Make the lamp pink and brighter than it can be. If that fails, warm and 40 %.",
  options: { model: process.env.CASTELLAN_MODEL ?? script, tools: [setLamp], persistSession: false },
})) {
  messages.push(message);
}
console.log(transcript(messages));
console.log(`Calls that reached the handler: ${dimmed}`);
