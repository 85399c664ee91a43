import type { JsonObject, JsonValue } from "../protocol/index.ts";

/** The value where it is a JSON object, else `{}`. */
export function asObject(value: JsonValue): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
