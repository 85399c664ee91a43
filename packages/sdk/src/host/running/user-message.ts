import type { CastellanError, SDKUserMessage, UserMessage, UserPart } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { badOption, shown } from "../options/fault.ts";

/** When a message is heard: at once, before the next model request, or when the turn is over. */
export type Priority = NonNullable<SDKUserMessage["priority"]>;

export interface Prompt {
  readonly message: UserMessage;
  readonly priority: Priority;
  /** The program's own name for it. */
  readonly uuid?: string;
}

/** It is heard before those that are not. */
export function isUrgent({ priority }: Pick<Prompt, "priority">): boolean {
  return priority === "now";
}

/** A string prompt as the log has it. */
export function textPrompt(text: string): Prompt {
  return { message: { role: "user", parts: [{ type: "text", text }] }, priority: "later" };
}

/** The text of a message; pictures are left out. */
export function textOf({ parts }: UserMessage): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/**
 * A message of a prompt stream, checked.
 *
 * @throws CastellanError `invalid_option` that names the field.
 */
export function readUserMessage(given: unknown): Prompt {
  if (typeof given === "string") {
    const fix = `Yield {type: "user", message: {role: "user", content: ${shown(given)}}}.`;
    throw bad("", "a message object", given, fix);
  }
  if (!isJsonObject(given)) throw bad("", "a message object", given);
  if (given.type !== "user") throw bad(".type", '"user"', given.type);
  const message = given.message;
  if (!isJsonObject(message)) throw bad(".message", "an object", message);
  if (message.role !== "user") throw bad(".message.role", '"user"', message.role);
  const priority = given.priority ?? "later";
  if (priority !== "now" && priority !== "next" && priority !== "later") {
    throw bad(".priority", '"now", "next" or "later"', priority);
  }
  const { uuid, parent_tool_use_id: parent = null } = given;
  if (uuid !== undefined && (typeof uuid !== "string" || uuid === "")) {
    throw bad(".uuid", "a text, and not empty", uuid, "Leave it out where the message needs no name.");
  }
  if (parent !== null) {
    throw bad(
      ".parent_tool_use_id",
      "null",
      parent,
      "Messages go to the session itself, and to no call of it.",
    );
  }
  const named = uuid === undefined ? {} : { uuid };
  return { message: { role: "user", parts: readContent(message.content), ...named }, priority, ...named };
}

function readContent(content: unknown): readonly UserPart[] {
  if (typeof content === "string" && content !== "") return [{ type: "text", text: content }];
  if (!Array.isArray(content) || content.length === 0) {
    throw bad(".message.content", "a text or a list of blocks, and not empty", content);
  }
  return content.map((block: unknown, index) => readBlock(block, `.message.content[${index}]`));
}

function readBlock(block: unknown, at: string): UserPart {
  if (!isJsonObject(block)) throw bad(at, "a block", block);
  if (block.type === "text") {
    if (typeof block.text !== "string") throw bad(`${at}.text`, "a string", block.text);
    return { type: "text", text: block.text };
  }
  if (block.type === "image") return readImage(block.source, `${at}.source`);
  const fix = block.type === "tool_result" ? RESULTS_ARE_OURS : undefined;
  throw bad(`${at}.type`, '"text" or "image"', block.type, fix);
}

const RESULTS_ARE_OURS =
  "Results come from the tools that run here; a tool of your own goes into options.tools.";

function readImage(source: unknown, at: string): UserPart {
  if (!isJsonObject(source)) throw bad(at, IMAGE_FORMS, source);
  const { type, url, media_type: mediaType, data } = source;
  if (type === "url" && typeof url === "string" && url !== "") {
    return { type: "file", mediaType: "image/*", ref: { kind: "url", url } };
  }
  if (type === "base64" && typeof mediaType === "string" && typeof data === "string") {
    return { type: "file", mediaType, ref: { kind: "data", base64: data } };
  }
  throw bad(at, IMAGE_FORMS, source);
}

const IMAGE_FORMS = '{type: "base64", media_type, data} or {type: "url", url}';

function bad(at: string, expected: string, got: unknown, fix?: string): CastellanError {
  const must = `It must be ${expected}.`;
  return badOption(
    "prompt",
    `In a message of the prompt stream, message${at} is ${shown(got)}.`,
    fix === undefined ? must : `${must} ${fix}`,
  );
}
