import { type Options, query, tool } from "@castellan/sdk";
import { prompt, readRow, type Session, SYSTEM, TOOL } from "../task.ts";
import { manyRules } from "./many-rules.ts";

const hook = async (): Promise<object> => ({});

/** A session as a careful program sets it up: its log on disk, two hooks around each call, rules. */
function options(session: Session, model: NonNullable<Options["model"]>): Options {
  const row = tool(TOOL.name, TOOL.description, { n: "integer" }, ({ n }) => ({
    content: [{ type: "text", text: readRow(n, session) }],
  }));
  return {
    model,
    systemPrompt: SYSTEM,
    tools: [row],
    settings: { permissions: manyRules(session.rules ?? 10) },
    hooks: { PreToolUse: [{ hooks: [hook] }], PostToolUse: [{ hooks: [hook] }] },
    ...(session.onDelta === undefined ? {} : { includePartialMessages: true }),
  };
}

export async function runSession(session: Session, model: NonNullable<Options["model"]>): Promise<string> {
  let final = "";
  for await (const message of query({ prompt: prompt(session), options: options(session, model) })) {
    if (message.type === "stream_event") {
      const { event } = message;
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
        session.onDelta?.(event.delta.text);
      }
    } else if (message.type === "result") {
      if (message.subtype !== "success") throw new Error(`${message.subtype}: ${message.errors?.join(" ")}`);
      final = message.result ?? "";
    }
  }
  return final;
}
