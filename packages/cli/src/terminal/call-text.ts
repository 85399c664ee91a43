import type { JsonValue } from "@castellan/sdk";

/** The inputs that tell most about a call, the best first. */
const TELLING = ["command", "file_path", "file", "pattern", "path", "url", "query", "description", "prompt"];

/** What a call is about, in one short text: its command, file or pattern, else its input as JSON. */
export function callText(input: JsonValue): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return JSON.stringify(input);
  const fields = new Map(Object.entries(input));
  for (const key of TELLING) {
    const value = fields.get(key);
    if (typeof value === "string" && value !== "") return value;
  }
  return fields.size === 0 ? "" : JSON.stringify(input);
}
