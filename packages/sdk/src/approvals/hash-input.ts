import type { JsonObject, JsonValue } from "../protocol/index.ts";

/**
 * An input as a record can hold it. What a schema made of it need not be JSON (a date, a bigint): that becomes text. What
 * cannot be read at all becomes `{}`.
 */
export function plainInput(input: unknown): JsonObject {
  try {
    const text = JSON.stringify(input, (_, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

/** SHA-256 of an input, whatever the order of its keys. */
export function hashInput(input: JsonObject, sha256: (text: string) => string): string {
  return sha256(canonical(input));
}

/** JSON whose keys stand in one order. */
export function canonical(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const keys = Object.keys(value).sort();
  const pairs = keys.map(
    (key) => `${JSON.stringify(key)}:${canonical((value as Record<string, JsonValue>)[key] as JsonValue)}`,
  );
  return `{${pairs.join(",")}}`;
}
