import { errorText } from "../../protocol/index.ts";
import { kindOf } from "./blocks.ts";
import { cut } from "./cut.ts";
import type { NormalisedResult } from "./normalise-result.ts";

const MAX_CHARS = 2_000;

/** The error result of a handler that threw: its message without the stack, 2,000 characters at most. Never throws. */
export function normaliseThrow(error: unknown): NormalisedResult {
  return { content: [{ type: "text", text: thrownText(error) }], isError: true, warnings: [] };
}

function thrownText(error: unknown): string {
  if (error === undefined || error === null)
    return `tool failed: ${error === null ? "null" : "undefined"} was thrown`;
  const text = cut(errorText(error).trim(), MAX_CHARS);
  if (text === "") return "tool failed";
  return typeof error === "object" || typeof error === "string"
    ? text
    : `tool failed: ${kindOf(error)} was thrown: ${text}`;
}
