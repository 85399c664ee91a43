import type { JsonObject, JsonSchema, ToolDefinition } from "../protocol/index.ts";
import { buildTool, type ToolDraft } from "../tools/index.ts";

/**
 * All that a built-in tool says of itself but the text for the model and its work. A tool that runs is built from it:
 * `buildTool({ ...DECLARATION, prompt, call })`.
 */
export type Declaration = Omit<ToolDraft<JsonSchema, JsonObject>, "prompt" | "call">;

/** What a decision needs of a tool: it validates, says what a call touches, and is never called. */
export type DeclaredTool = Omit<ToolDefinition, "prompt" | "call">;

/** A declaration as a tool that can be judged. */
export function declaredTool(declaration: Declaration): DeclaredTool {
  const { prompt: _, call: __, ...facts } = buildTool({ ...declaration, call: cannotRun });
  return Object.freeze(facts);
}

function cannotRun(): never {
  throw new Error("A declared tool has no work.");
}

/** The schema of an input that holds these keys and no others. */
export function inputOf(properties: JsonSchema["properties"], required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required: [...required], additionalProperties: false } as JsonSchema;
}

/** The schema of a text that is not blank. */
export function textOf(description: string, maxLength = 2000): JsonSchema {
  return { type: "string", minLength: 1, maxLength, pattern: "\\S", description };
}

/** The schema of a path. */
export function pathOf(description: string): JsonSchema {
  return { type: "string", minLength: 1, description };
}
