/** Reading of JSON from outside, where nothing is assumed, and writing it for outside. */

/** A property of what may be no object at all. `key` is a name of ours that no prototype has, never one from outside. */
export function ask(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** A text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const HALF = /\\ud[89a-f]/;
const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/g;

/**
 * JSON that every provider reads. Half a character, which the cutting of a text may leave, becomes U+FFFD: providers
 * refuse a request with one, and so every later request of the session that it stands in.
 */
export function wireJson(value: unknown): string {
  const json = JSON.stringify(value);
  return HALF.test(json) ? withoutHalves(json) : json;
}

/** The same data without half characters; itself where there are none. For data that somebody else writes as JSON. */
export function wellFormed<T>(value: T): T {
  const json = JSON.stringify(value);
  return HALF.test(json) ? JSON.parse(withoutHalves(json)) : value;
}

function withoutHalves(json: string): string {
  return json.replace(ESCAPE, (written: string, code = "") => (/^d[89a-f]/.test(code) ? "\ufffd" : written));
}
