import type { JsonObject, JsonValue } from "../protocol/index.ts";
import { copyJson } from "../tools/index.ts";

/** An input as a log can hold it, and what it cannot hold: `"n" is a bigint, which JSON cannot hold`. */
export interface Recordable {
  readonly input: JsonObject;
  readonly lost: readonly string[];
}

/**
 * An input for the log. What a schema made of it need not be JSON (a date, a bigint, a Map): such a field is a text that
 * says so, the same in every store, and no store fails at it later.
 */
export function recordable(input: JsonObject): Recordable {
  const whole = copyJson(input);
  if (whole.ok) return { input: whole.value as JsonObject, lost: [] };
  const lost: string[] = [];
  const kept: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const copied = copyJson(value);
    if (!copied.ok) lost.push(`"${key}" (${copied.problem})`);
    kept.push([key, copied.ok ? copied.value : `[not recorded: ${copied.problem}]`]);
  }
  return { input: Object.fromEntries(kept), lost };
}
