import { isPlainObject, put } from "../plain.ts";

/** Why a value is not plain JSON data, and where. */
export interface CopyFault {
  readonly place: string;
  readonly message: string;
}

const MAX_DEPTH = 200;

/**
 * A deep copy of plain JSON data, so that later changes by its owner change nothing. Keys whose value is
 * undefined are left out. Calls `fault` (which must throw) for what JSON cannot hold.
 */
export function copyJson(value: unknown, fault: (fault: CopyFault) => never, place = "", depth = 0): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (depth > MAX_DEPTH) return fault({ place, message: "it is nested too deeply, or contains itself." });
  const at = (key: string | number): string => (place === "" ? String(key) : `${place}.${key}`);
  if (Array.isArray(value)) return value.map((item, index) => copyJson(item, fault, at(index), depth + 1));
  if (isPlainObject(value) && !("~standard" in value)) {
    const copy: { [key: string]: unknown } = {};
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) put(copy, key, copyJson(item, fault, at(key), depth + 1));
    }
    return copy;
  }
  if ((typeof value === "object" || typeof value === "function") && "~standard" in value) {
    return fault({ place, message: "a schema object of a library stands inside a JSON Schema." });
  }
  return fault({ place, message: `JSON cannot hold this value (${typeof value}).` });
}
