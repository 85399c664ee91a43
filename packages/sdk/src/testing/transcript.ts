import { AssertionError } from "node:assert";
import type {
  SDKContentBlock,
  SDKMessage,
  SDKToolResultBlock,
  SDKUserBlock,
  SDKUserMessageOut,
} from "../protocol/index.ts";

const MOST = 200;

/**
 * Messages as short lines, one or more a message: what was said, called, decided and answered. Ids, times, usage
 * and stream pieces are left out, so that the same run gives the same text.
 *
 * ```text
 * init scripted [Bash, Read] default
 * assistant: Let me look.
 * call Read {"file_path":"a.txt"}
 * result Read: hello
 * done success (2 turns): Done.
 * ```
 */
export function transcript(messages: Iterable<SDKMessage>): string {
  const names = new Map<string, string>();
  const lines: string[] = [];
  for (const message of messages) lines.push(...linesOf(message, names));
  return lines.join("\n");
}

/**
 * Compares a run with the transcript that it should have. Indentation that all lines share and blank lines around
 * do not count.
 *
 * @throws AssertionError, with both texts.
 */
export function expectTranscript(messages: Iterable<SDKMessage>, expected: string): void {
  const actual = transcript(messages);
  const wanted = dedent(expected);
  if (actual === wanted) return;
  throw new AssertionError({
    message: `The transcript differs.\n--- expected\n${wanted}\n--- actual\n${actual}`,
    actual,
    expected: wanted,
    operator: "expectTranscript",
  });
}

function linesOf(message: SDKMessage, names: Map<string, string>): string[] {
  switch (message.type) {
    case "assistant":
      return message.message.content.map((block) => assistantLine(block, names));
    case "user":
      return userLines(message, names);
    case "result": {
      const text = message.result ?? message.errors?.join("; ") ?? "";
      const reason = message.is_error ? `, ${message.terminal_reason}` : "";
      return [`done ${message.subtype} (${plural(message.num_turns, "turn")}${reason}): ${short(text)}`];
    }
    case "system":
      switch (message.subtype) {
        case "init":
          return [`init ${message.model} [${message.tools.join(", ")}] ${message.permissionMode}`];
        case "status":
          if (message.held_back !== undefined) return [`held back: ${message.held_back.model}`];
          return [message.model === undefined ? `mode ${message.permissionMode}` : `model ${message.model}`];
        case "api_retry": {
          const next = message.fallback_model === undefined ? "" : ` with ${message.fallback_model}`;
          return [`retry ${message.attempt}${next}: ${short(message.error)}`];
        }
        case "message_withdrawn":
          return [];
        case "permission_denied":
          return [`denied ${message.tool_name}: ${short(message.message)}`];
        case "notification":
          return [`${message.level}: ${short(message.message)}`];
      }
      return [];
    case "stream_event":
    case "tool_progress":
      return [];
  }
}

function assistantLine(block: SDKContentBlock, names: Map<string, string>): string {
  switch (block.type) {
    case "text":
      return `assistant: ${short(block.text)}`;
    case "thinking":
      return `thinking: ${short(block.thinking)}`;
    case "tool_use":
      names.set(block.id, block.name);
      return `call ${block.name} ${short(JSON.stringify(block.input))}`;
  }
}

function userLines({ message: { content } }: SDKUserMessageOut, names: Map<string, string>): string[] {
  if (typeof content === "string") return [`user: ${short(content)}`];
  return content.map((block) => userLine(block, names));
}

function userLine(block: SDKUserBlock, names: Map<string, string>): string {
  switch (block.type) {
    case "text":
      return `user: ${short(block.text)}`;
    case "image":
      return "user: [image]";
    case "tool_result": {
      const kind = block.is_error === true ? "error" : "result";
      return `${kind} ${names.get(block.tool_use_id) ?? "?"}: ${short(resultText(block))}`;
    }
  }
}

function resultText({ content }: SDKToolResultBlock): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "[image]")).join(" ");
}

function short(text: string): string {
  const line = text.trim().replaceAll("\n", "\\n");
  return line.length <= MOST ? line : `${line.slice(0, MOST)}…`;
}

function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

function dedent(text: string): string {
  const lines = text.replace(/^\s*\n|\s+$/g, "").split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(shared)).join("\n");
}
