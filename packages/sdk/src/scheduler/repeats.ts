import type { JsonObject, ToolDefinition } from "../protocol/index.ts";

/** Counts equal calls in a row. */
export interface Repeats {
  /** Call it once for each call that runs, in order. From the third equal one on it gives a text for the model. */
  note(tool: ToolDefinition, input: JsonObject): string | undefined;
}

const TOLD_FROM = 3;

export function createRepeats(): Repeats {
  let last: { tool: ToolDefinition; input: JsonObject; count: number } | undefined;
  return {
    note(tool, input) {
      const count =
        last !== undefined && last.tool === tool && isEqual(tool, last.input, input) ? last.count + 1 : 1;
      last = { tool, input, count };
      if (count < TOLD_FROM) return undefined;
      return `[This was call ${count} of ${tool.name} in a row with the same input. If its result does not help, change the input or go another way.]`;
    },
  };
}

function isEqual(tool: ToolDefinition, a: JsonObject, b: JsonObject): boolean {
  try {
    return tool.inputsEquivalent(a, b) === true;
  } catch {
    return false;
  }
}
