// @ts-check
// A model on your own machine, or anywhere else that speaks the chat completions of OpenAI: Ollama, vLLM, llama.cpp,
// LM Studio.
//
//   node examples/local-model.mjs http://127.0.0.1:11434/v1 qwen3
import { query, tool } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const [baseURL, name = "qwen3"] = process.argv.slice(2);

const clock = tool(
  "clock",
  "Tells the time of a city.",
  { city: "string" },
  ({ city }) => {
    const times = new Map([["Bergen", "09:30"]]);
    const time = times.get(city);
    return time === undefined
      ? { success: false, summary: `No clock in ${city}.` }
      : { success: true, output: time };
  },
  { riskLevel: "low", annotations: { readOnlyHint: true } },
);

// Without an address a script stands for the model.
const script = scriptedModel([
  { toolCalls: [{ name: "clock", input: { city: "Bergen" } }] },
  "It is half past nine in Bergen.",
]);
if (baseURL === undefined) console.log("No address given: a script stands for the model.");

const messages = [];
for await (const message of query({
  prompt: "What time is it in Bergen?",
  options: {
    // A server on this machine needs no key. For others: auth: apiKeyFromEnv("NAME_OF_THE_VARIABLE").
    model: baseURL === undefined ? script : { baseURL, model: name },
    tools: [clock],
    persistSession: false,
  },
})) {
  messages.push(message);
}
console.log(transcript(messages));
