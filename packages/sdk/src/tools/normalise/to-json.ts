import type { JsonValue } from "../../protocol/index.ts";
import { errorText } from "../../protocol/index.ts";

/** A JSON copy of a value, or where and why there is none. */
export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly why: string };

const MAX_DEPTH = 500;
const MAX_NODES = 2_000_000;

class NotJson extends Error {}

/**
 * Copies a value as JSON would write it (`toJSON` is heard, undefined keys are left out), but refuses what JSON
 * would silently lose or choke on. Never throws, whatever getters or proxies stand in the value.
 */
export function toJson(value: unknown): JsonReading {
  let nodes = 0;
  const open = new Set<object>();
  const copy = (given: unknown, place: string, key: string): JsonValue | undefined => {
    nodes++;
    if (nodes > MAX_NODES) throw new NotJson("it has too many parts");
    const item = hearToJson(given, key);
    if (item === null || typeof item === "string" || typeof item === "boolean") return item;
    if (item === undefined) return undefined;
    if (typeof item === "number") {
      if (Number.isFinite(item)) return item === 0 ? 0 : item;
      throw new NotJson(`${place} is ${item}, which JSON has no word for`);
    }
    if (typeof item !== "object") throw new NotJson(`${place} is ${NAMES[typeof item] ?? "no data"}`);
    if (open.has(item)) throw new NotJson(`${place} contains itself`);
    if (open.size >= MAX_DEPTH) throw new NotJson("it is nested too deeply");
    if (
      item instanceof Map ||
      item instanceof Set ||
      ArrayBuffer.isView(item) ||
      item instanceof ArrayBuffer
    ) {
      throw new NotJson(`${place} is a ${item.constructor.name}, which JSON would lose`);
    }
    open.add(item);
    const done = Array.isArray(item) ? copyList(item, place) : copyKeys(item, place);
    open.delete(item);
    return done;
  };
  const copyList = (list: readonly unknown[], place: string): JsonValue[] => {
    const done: JsonValue[] = [];
    for (let index = 0; index < list.length; index++) {
      done.push(copy(list[index], `${place}[${index}]`, String(index)) ?? null);
    }
    return done;
  };
  const copyKeys = (item: object, place: string): { [key: string]: JsonValue } => {
    const done: { [key: string]: JsonValue } = {};
    for (const key of Object.keys(item)) {
      const inner = copy((item as { [key: string]: unknown })[key], `${place}.${key}`, key);
      if (inner === undefined) continue;
      Object.defineProperty(done, key, {
        value: inner,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return done;
  };
  try {
    const done = copy(value, "it", "");
    return done === undefined ? { ok: false, why: "it is undefined" } : { ok: true, value: done };
  } catch (error) {
    return {
      ok: false,
      why: error instanceof NotJson ? error.message : `reading it failed: ${errorText(error)}`,
    };
  }
}

const NAMES: Readonly<Record<string, string>> = {
  bigint: "a BigInt",
  function: "a function",
  symbol: "a symbol",
};

function hearToJson(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, key) : value;
}
