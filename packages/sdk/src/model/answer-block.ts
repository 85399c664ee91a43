import type { AssistantPart, JsonValue, ProviderMeta, ToolCallPart } from "../protocol/index.ts";

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

/** The part that a block comes to; undefined for a block with nothing in it. */
export function finishBlock(block: AnswerBlock): AssistantPart | undefined {
  const text = block.pieces.join("");
  const meta = block.meta === undefined ? {} : { meta: block.meta };
  switch (block.kind) {
    case "text":
      return text === "" ? undefined : { type: "text", text, ...meta };
    case "reasoning":
      return text === "" && block.meta === undefined ? undefined : { type: "reasoning", text, ...meta };
    case "tool": {
      const input = parseInput(block.pieces.length > 0 ? text : (block.whole ?? ""));
      return { type: "toolCall", id: block.id, name: block.name, ...input, ...meta };
    }
  }
}

/** Deeper input could be read, but no longer written: the log and the next request would fail. */
const MOST_LEVELS = 500;

/** No text at all is a call without arguments. */
function parseInput(text: string): Pick<ToolCallPart, "input" | "invalidInput"> {
  if (text.trim() === "") return { input: {} };
  try {
    const input = JSON.parse(text) as JsonValue;
    const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
    if (isObject && isWithin(input, MOST_LEVELS)) return { input };
  } catch {
    // Falls through: the model is shown its own text.
  }
  return { input: {}, invalidInput: text };
}

/** Whether lists and objects stand in one another at most `levels` deep. */
function isWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner: JsonValue) => isWithin(inner, levels - 1));
}
