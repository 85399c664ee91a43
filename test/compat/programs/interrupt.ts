// Stops a command that runs too long, and asks something else in the same session.
import { type Query, query, type SDKUserMessage } from "@castellan/sdk";

let goOn = (): void => {};
const stopped = new Promise<void>((resolve) => {
  goOn = resolve;
});

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  yield { type: "user", message: { role: "user", content: "Wait for the build." } };
  await stopped;
  yield { type: "user", message: { role: "user", content: "Never mind. Are you there?" } };
}

const session: Query = query({
  prompt: prompts(),
  options: { tools: ["Bash"], allowedTools: ["Bash(sleep:*)"] },
});
for await (const message of session) {
  if (message.type === "assistant" && message.message.content.some((block) => block.type === "tool_use")) {
    await session.interrupt();
  }
  if (message.type === "user" && Array.isArray(message.message.content)) {
    for (const block of message.message.content) {
      if (block.type === "tool_result") console.log(`the call ended, an error: ${block.is_error}`);
    }
  }
  if (message.type === "result") {
    console.log(message.subtype === "success" ? message.result : `${message.subtype}: ${message.is_error}`);
    goOn();
  }
}
