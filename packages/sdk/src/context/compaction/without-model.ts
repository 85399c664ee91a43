import type { Message } from "../../protocol/index.ts";
import { cut } from "./told-history.ts";

const CALLS = 60;
const ANSWER = 4_000;

/** What stands for a summary where no model could write one: the last calls, and what the agent said last. */
export function summaryWithoutModel(messages: readonly Message[]): string {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.filter((part) => part.type === "toolCall") : [],
  );
  const lines = calls.slice(-CALLS).map(({ name, input }) => `- ${name} ${cut(JSON.stringify(input), 200)}`);
  const said = messages.findLast(
    (message) => message.role === "assistant" && message.parts.some((part) => part.type === "text"),
  );
  const last = (said?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
  return [
    "No summary could be written. What is known of the messages that were taken away:",
    ...(lines.length === 0 ? [] : [`The last ${lines.length} of ${calls.length} calls of tools:`, ...lines]),
    ...(last.trim() === "" ? [] : ["The last text of the agent:", cut(last, ANSWER)]),
  ].join("\n");
}
