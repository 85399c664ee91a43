import type { ModelTool } from "../model/index.ts";
import type { FilePart, Message } from "../protocol/index.ts";

/** What a message costs beside its text. */
const FRAME = 4;
/** An image, or a page, of common size. */
const FILE = 1_600;

/** Tokens of a text, roughly: four characters of plain ASCII, or a little more than one of any other script. */
export function textTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) others += 1;
  return Math.ceil((text.length - others) / 4 + others * 0.75);
}

/** Tokens of a message, roughly. */
export function messageTokens(message: Message): number {
  let sum = FRAME;
  for (const part of message.parts) sum += partTokens(part);
  return sum;
}

function partTokens(part: Message["parts"][number]): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return textTokens(part.text);
    case "file":
      return fileTokens(part);
    case "toolCall":
      return FRAME + textTokens(part.name) + textTokens(part.invalidInput ?? JSON.stringify(part.input));
    case "toolResult": {
      let sum = FRAME;
      for (const each of part.content) sum += each.type === "text" ? textTokens(each.text) : fileTokens(each);
      return sum;
    }
  }
}

function fileTokens({ mediaType }: FilePart): number {
  return mediaType === "application/pdf" ? FILE * 4 : FILE;
}

/** Tokens of tool definitions, roughly. */
export function toolTokens(tools: readonly ModelTool[]): number {
  let sum = 0;
  for (const { name, description, inputSchema } of tools) {
    sum += FRAME + textTokens(name) + textTokens(description) + textTokens(JSON.stringify(inputSchema));
  }
  return sum;
}

/** Tokens of several texts, roughly. */
export function textsTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + FRAME + textTokens(text), 0);
}
