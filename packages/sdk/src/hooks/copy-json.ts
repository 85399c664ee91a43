import type { JsonValue } from "../protocol/index.ts";

export type JsonCopy =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

const MAX_DEPTH = 500;

/**
 * A copy of plain JSON data, or what in `value` is none. Callbacks get copies and give values that
 * are copied, so that none of them can change a call after it was judged. Properties that are
 * `undefined` are left out, as JSON does.
 */
export function copyJson(value: unknown): JsonCopy {
  try {
    return { ok: true, value: copy(value, "", 0) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, problem: error.message };
    return { ok: false, problem: `reading it threw: ${error instanceof Error ? error.message : "no Error"}` };
  }
}

/** Whether two values are the same JSON; the order of keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const left = defined(a);
  const right = defined(b);
  if (left.length !== right.length) return false;
  return left.every(([key, value]) => Object.hasOwn(b, key) && sameJson(value, (b as never)[key]));
}

class NotJson extends Error {}

function copy(value: unknown, at: string, depth: number): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new NotJson(`${place(at)} is ${value}, which JSON cannot hold`);
  }
  if (typeof value !== "object") throw new NotJson(`${place(at)} is ${kind(value)}, which JSON cannot hold`);
  if (depth > MAX_DEPTH) throw new NotJson(`${place(at)} is nested too deep or holds itself`);
  if (Array.isArray(value)) return value.map((item, i) => copy(item, join(at, String(i)), depth + 1));
  if (!isPlain(value)) throw new NotJson(`${place(at)} is no plain object`);
  return Object.fromEntries(
    defined(value).map(([key, item]) => [key, copy(item, join(at, key), depth + 1)] as const),
  );
}

/** Objects of other realms are plain too: their prototype is the end of its chain. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function defined(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

function kind(value: unknown): string {
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

function place(at: string): string {
  return at === "" ? "it" : `"${at}"`;
}

function join(at: string, key: string): string {
  return at === "" ? key : `${at}.${key}`;
}
