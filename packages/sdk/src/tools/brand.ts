import type { ToolDefinition } from "../protocol/index.ts";
import type { AnyTool } from "./types.ts";

const DEFINITION: unique symbol = Symbol.for("castellan.tool") as never;

/** Ties a tool object to its full definition. Other copies of this package can read it too. */
export function bindDefinition(target: object, definition: ToolDefinition): void {
  Object.defineProperty(target, DEFINITION, { value: definition });
}

/** The full definition behind what `tool()` or `buildTool()` made, or undefined. */
export function definitionOf(value: unknown): ToolDefinition | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, DEFINITION)) return undefined;
  return (value as { [DEFINITION]?: ToolDefinition })[DEFINITION];
}

/** Whether a value was made by `tool()` or `buildTool()`, of this copy of the package or another. */
export function isTool(value: unknown): value is AnyTool {
  return definitionOf(value) !== undefined;
}
