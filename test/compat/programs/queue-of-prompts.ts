// A queue feeds prompts into one session; the next one is put in when an answer has come.
import { query, type SDKUserMessage } from "@castellan/sdk";

class PromptQueue implements AsyncIterable<SDKUserMessage> {
  private waiting: SDKUserMessage[] = [];
  private wake: (() => void) | undefined;
  private ended = false;

  push(text: string): void {
    this.waiting.push({
      type: "user",
      message: { role: "user", content: [{ type: "text", text }] },
      parent_tool_use_id: null,
      session_id: "",
    });
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage> {
    while (true) {
      const next = this.waiting.shift();
      if (next !== undefined) yield next;
      else if (this.ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }
}

const later = ["And the second largest?", "Which of the two is older?"];
const sessions = new Set<string>();
const prompts = new PromptQueue();
prompts.push("Which file is the largest?");

for await (const message of query({ prompt: prompts, options: { tools: [] } })) {
  sessions.add(message.session_id);
  if (message.type !== "result") continue;
  console.log(message.subtype === "success" ? message.result : `failed: ${message.subtype}`);
  const next = later.shift();
  if (next === undefined) prompts.end();
  else prompts.push(next);
}
console.log(`sessions: ${sessions.size}`);
