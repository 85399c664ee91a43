import type { JsonObject, ToolDefinition } from "../../protocol/index.ts";
import { nearestName } from "../../tools/index.ts";

/**
 * A key of an input that its tool does not have, or one that is missing: whoever wrote it by hand meant another call.
 * A value that does not fit is no such fault: a model may send it, and is refused.
 */
export function keyFault({ name, inputSchema }: ToolDefinition, input: JsonObject): string | undefined {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = inputSchema as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
  };
  const known = Object.keys(properties);
  const strange =
    additionalProperties === false ? Object.keys(input).find((key) => !known.includes(key)) : undefined;
  if (strange !== undefined) {
    const near = nearestName(strange, known);
    const fix = near === undefined ? `It has ${known.join(", ")}.` : `Did you mean ${near}?`;
    return `The input of ${name} has no key ${strange}. ${fix}`;
  }
  const missing = required.find((key) => input[key] === undefined);
  return missing === undefined ? undefined : `The input of ${name} needs the key ${missing}.`;
}
