// Leaves the choice of the model to the environment, and changes it in the middle of the session.
import { AgentClient } from "@castellan/sdk";

await using client = new AgentClient({ model: "auto", tools: [] });

async function ask(prompt: string): Promise<void> {
  await client.query(prompt);
  for await (const message of client.receiveResponse()) {
    if (message.type === "system" && message.subtype === "init") console.log(`begins with ${message.model}`);
    if (message.type === "assistant") console.log(`${message.message.model} answers`);
    if (message.type === "result") console.log(`used: ${Object.keys(message.modelUsage).join(", ")}`);
  }
}

await ask("Hello.");
await client.setModel("openai/gpt-5.5");
await ask("Hello again.");
