import { CastellanError } from "../protocol/index.ts";

/** A schema that cannot be used, found when its tool is built. `place` is a dotted path inside the schema. */
export function schemaFault(tool: string, place: string, message: string, fix: string): CastellanError {
  const where = place === "" ? "inputSchema" : `inputSchema, at ${place}`;
  return new CastellanError("invalid_schema", `Tool "${tool}", ${where}: ${message}`, { subject: tool, fix });
}
