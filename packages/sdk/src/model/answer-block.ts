import type { AssistantPart, JsonValue, ProviderMeta, ToolCallPart } from "../protocol/index.ts";
import { isWritable } from "../schema/index.ts";

/** A text or reasoning block while its deltas come in. */
export interface TextBlock {
  readonly kind: "text" | "reasoning";
  readonly pieces: string[];
  meta: ProviderMeta | undefined;
}

/** A tool call while its input comes in. */
export interface ToolBlock {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly pieces: string[];
  /** The input in one piece, from the end of the call. */
  whole: string | undefined;
  open: boolean;
  meta: ProviderMeta | undefined;
}

export type AnswerBlock = TextBlock | ToolBlock;

/**
 * The part that a block comes to; undefined for a block with nothing in it.
 *
 * @param cut the answer ended in this block because there was no room for more: a call without input is not whole.
 */
export function finishBlock(block: AnswerBlock, cut: boolean): AssistantPart | undefined {
  const text = block.pieces.join("");
  const meta = block.meta === undefined ? {} : { meta: block.meta };
  switch (block.kind) {
    case "text":
      return text === "" ? undefined : { type: "text", text, ...meta };
    case "reasoning":
      return text === "" && block.meta === undefined ? undefined : { type: "reasoning", text, ...meta };
    case "tool": {
      const input = parseInput(block.pieces.length > 0 ? text : (block.whole ?? ""), cut);
      return { type: "toolCall", id: block.id, name: block.name, ...input, ...meta };
    }
  }
}

/** No text at all is a call without arguments, where the model said all that it had to say. */
function parseInput(text: string, cut: boolean): Pick<ToolCallPart, "input" | "invalidInput"> {
  if (text.trim() === "") return cut ? { input: {}, invalidInput: text } : { input: {} };
  try {
    const input = JSON.parse(text) as JsonValue;
    const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
    if (isObject && isWritable(input)) return { input };
  } catch {
    // Falls through: the model is shown its own text.
  }
  return { input: {}, invalidInput: text };
}
