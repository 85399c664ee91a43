import type { ToolResult } from "../protocol/index.ts";

/** A result that is one text. */
export function textResult(text: string, extra: Omit<ToolResult, "content"> = {}): ToolResult {
  return { content: [{ type: "text", text }], ...extra };
}

/** A known failure: the model reads the text, marked as an error. */
export function failure(text: string): ToolResult {
  return textResult(text, { isError: true });
}
