import type { JsonValue } from "../../protocol/index.ts";
import { isPlainObject, put } from "../plain.ts";

/** A copy, or where and why there is none. `place` is empty for the value itself. */
export type JsonCopy =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly place: string; readonly problem: string };

/** Deep enough for real data, and for a value that holds itself to be found before the stack ends. */
const MAX_DEPTH = 500;

/** Why an object or function is refused though it may be plain data; undefined for any other. */
type Refuse = (value: object) => string | undefined;

class NotJson extends Error {
  readonly place: string;
  constructor(place: string, problem: string) {
    super(problem);
    this.place = place;
  }
}

/**
 * A deep copy of plain JSON data, so that nothing its owner does later changes what was judged or compiled.
 * Properties that are `undefined` are left out, as JSON does. Never throws, whatever getters stand in the value.
 *
 * @param refuse says what else cannot be copied.
 */
export function copyJson(value: unknown, refuse: Refuse = () => undefined): JsonCopy {
  try {
    return { ok: true, value: copy(value, "", 0, refuse) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, place: error.place, problem: error.message };
    const why = error instanceof Error ? error.message : "no Error";
    return { ok: false, place: "", problem: `reading it threw: ${why}` };
  }
}

function copy(value: unknown, place: string, depth: number, refuse: Refuse): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new NotJson(place, `${named(place)} is ${value}, which JSON cannot hold`);
  }
  const refused = typeof value === "object" || typeof value === "function" ? refuse(value) : undefined;
  if (refused !== undefined) throw new NotJson(place, refused);
  if (typeof value !== "object") {
    throw new NotJson(place, `${named(place)} is ${kind(value)}, which JSON cannot hold`);
  }
  if (depth > MAX_DEPTH) throw new NotJson(place, `${named(place)} is nested too deeply, or contains itself`);
  const inside = (item: unknown, key: string): JsonValue => copy(item, join(place, key), depth + 1, refuse);
  if (Array.isArray(value)) return value.map((item, i) => inside(item, String(i)));
  if (!isPlainObject(value)) throw new NotJson(place, `${named(place)} is no plain object`);
  const made: { [key: string]: JsonValue } = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) put(made, key, inside(item, key));
  }
  return made;
}

function kind(value: unknown): string {
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

function named(place: string): string {
  return place === "" ? "it" : `"${place}"`;
}

function join(place: string, key: string): string {
  return place === "" ? key : `${place}.${key}`;
}
