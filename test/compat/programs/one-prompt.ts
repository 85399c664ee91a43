// One prompt, tools that only read, one answer.
import { query } from "@castellan/sdk";

async function audit(folder: string): Promise<string> {
  for await (const message of query({
    prompt: "Which work is left to do in this folder?",
    options: {
      cwd: folder,
      systemPrompt: { type: "preset", preset: "claude_code", append: "Answer in one line." },
      tools: ["Read", "Grep", "Glob"],
      allowedTools: ["Read", "Grep", "Glob"],
      permissionMode: "default",
      maxTurns: 5,
    },
  })) {
    switch (message.type) {
      case "system":
        if (message.subtype === "init") console.log(`tools: ${message.tools.join(", ")}`);
        break;
      case "assistant":
        for (const block of message.message.content) {
          if (block.type === "tool_use") console.log(`calls ${block.name}`);
        }
        break;
      case "result":
        console.log(`turns: ${message.num_turns}, tokens out: ${message.usage.output_tokens}`);
        if (message.subtype === "success") return message.result;
        throw new Error(message.errors.join("; "));
    }
  }
  throw new Error("The session ended without a result.");
}

console.log(await audit(process.cwd()));
