import { CastellanError } from "../protocol/index.ts";

/** A tool that cannot be built: which tool, which field, why, and what to write. */
export function toolFault(tool: unknown, field: string, message: string, fix: string): CastellanError {
  const name = typeof tool === "string" && tool.trim() !== "" ? `Tool "${tool.slice(0, 80)}"` : "A tool";
  return new CastellanError("invalid_tool", `${name}, field "${field}": ${message}`, { subject: field, fix });
}
