import { isJsonObject, isPlainObject } from "../plain.ts";

/** Whether two values are the same JSON: neither the order of keys counts, nor a key that is `undefined`. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = definedKeys(a);
  if (keys.length !== definedKeys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]));
}

function definedKeys(value: { readonly [key: string]: unknown }): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

/** A text that two JSON values share exactly when they are the same. */
export function jsonKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(Object.is(value, -0) ? 0 : value) ?? "undefined";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${jsonKey(value[key])}`).join(",")}}`;
}
