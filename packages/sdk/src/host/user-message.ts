import type { SDKUserMessage, UserMessage, UserPart } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { isPlainObject, shown } from "./options/checks.ts";

/** When a message is heard: at once, before the next model request, or when the turn is over. */
export type Priority = NonNullable<SDKUserMessage["priority"]>;

export interface Prompt {
  readonly message: UserMessage;
  readonly priority: Priority;
}

/** A string prompt as the log has it. */
export function textPrompt(text: string): Prompt {
  return { message: { role: "user", parts: [{ type: "text", text }] }, priority: "later" };
}

/**
 * A message of a prompt stream, checked.
 *
 * @throws CastellanError `invalid_option` that names the field.
 */
export function readUserMessage(given: unknown): Prompt {
  if (typeof given === "string") {
    throw bad(
      "",
      `a message object, got the string ${shown(given)}`,
      `Yield {type: "user", message: {role: "user", content: ${shown(given)}}}.`,
    );
  }
  if (!isPlainObject(given)) throw bad("", `a message object, got ${shown(given)}`);
  if (given.type !== "user") throw bad(".type", `"user", got ${shown(given.type)}`);
  const message = given.message;
  if (!isPlainObject(message)) throw bad(".message", `an object, got ${shown(message)}`);
  if (message.role !== "user") throw bad(".message.role", `"user", got ${shown(message.role)}`);
  const priority = given.priority ?? "later";
  if (priority !== "now" && priority !== "next" && priority !== "later") {
    throw bad(".priority", `"now", "next" or "later", got ${shown(priority)}`);
  }
  return { message: { role: "user", parts: readContent(message.content) }, priority };
}

function readContent(content: unknown): readonly UserPart[] {
  if (typeof content === "string") {
    if (content === "") throw bad(".message.content", "text or blocks, got an empty string");
    return [{ type: "text", text: content }];
  }
  if (!Array.isArray(content) || content.length === 0) {
    throw bad(".message.content", `a string or a list of blocks, got ${shown(content)}`);
  }
  return content.map((block: unknown, index) => readBlock(block, `.message.content[${index}]`));
}

function readBlock(block: unknown, at: string): UserPart {
  if (!isPlainObject(block)) throw bad(at, `a block, got ${shown(block)}`);
  if (block.type === "text") {
    if (typeof block.text !== "string") throw bad(`${at}.text`, `a string, got ${shown(block.text)}`);
    return { type: "text", text: block.text };
  }
  if (block.type === "image") return readImage(block.source, `${at}.source`);
  if (block.type === "tool_result") {
    throw bad(
      at,
      "a text or image block, got a tool_result",
      "Results come from the tools that run here; a tool of your own goes into options.tools.",
    );
  }
  throw bad(`${at}.type`, `"text" or "image", got ${shown(block.type)}`);
}

function readImage(source: unknown, at: string): UserPart {
  if (!isPlainObject(source)) throw bad(at, `an object, got ${shown(source)}`);
  if (source.type === "url" && typeof source.url === "string") {
    return { type: "file", mediaType: "image/*", ref: { kind: "url", url: source.url } };
  }
  const { media_type: mediaType, data } = source;
  if (source.type !== "base64" || typeof mediaType !== "string" || typeof data !== "string") {
    throw bad(at, '{type: "base64", media_type, data} or {type: "url", url}');
  }
  return { type: "file", mediaType, ref: { kind: "data", base64: data } };
}

function bad(at: string, expected: string, fix?: string): CastellanError {
  return new CastellanError(
    "invalid_option",
    `A message of the prompt stream: message${at} must be ${expected}.`,
    {
      subject: "prompt",
      ...(fix === undefined ? {} : { fix }),
    },
  );
}
