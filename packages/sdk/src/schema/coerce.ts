import { type RefLookup, refLookup } from "./json/refs.ts";
import { hasType } from "./json/scalar-checks.ts";
import { isWritable } from "./nesting.ts";
import { isJsonObject, own, put } from "./plain.ts";

type Json = { [key: string]: unknown };

const MAX_DEPTH = 50;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Reads texts where a schema wants something else: JSON text of a list or object, a number, `true` or `false`.
 * A place that may hold a string keeps it as it is. Returns the very same value when there was nothing to read;
 * the caller validates what comes back, and should call this only for a value that was invalid.
 */
export function coerce(root: Json, value: unknown): unknown {
  return coerceAt(root, value, refLookup(root), 0);
}

function coerceAt(schema: unknown, given: unknown, lookup: RefLookup, depth: number): unknown {
  if (depth > MAX_DEPTH) return given;
  const schemas = alternatives(schema, lookup, 0);
  const value = typeof given === "string" ? readText(given, allowedTypes(schemas)) : given;
  if (Array.isArray(value)) return coerceItems(value, schemas, lookup, depth);
  if (isJsonObject(value)) return coerceKeys(value, schemas, lookup, depth);
  return value;
}

// A schema and everything that may stand for it in the same place.
function alternatives(schema: unknown, lookup: RefLookup, depth: number): Json[] {
  if (!isJsonObject(schema) || depth > 10) return [];
  const found: Json[] = [schema];
  if (typeof schema.$ref === "string") found.push(...alternatives(lookup(schema.$ref), lookup, depth + 1));
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const inner of list) found.push(...alternatives(inner, lookup, depth + 1));
  }
  return found;
}

// Every type that any alternative names; undefined where a string might be meant without being named.
function allowedTypes(schemas: readonly Json[]): ReadonlySet<string> | undefined {
  const types = new Set<string>();
  for (const schema of schemas) {
    if (typeof schema.type === "string") types.add(schema.type);
    else if (Array.isArray(schema.type)) for (const type of schema.type) types.add(String(type));
    else if (Object.hasOwn(schema, "const")) types.add(typeof schema.const);
    else if (Array.isArray(schema.enum)) for (const item of schema.enum) types.add(typeof item);
    else if (!["$ref", "anyOf", "oneOf", "allOf"].some((key) => Object.hasOwn(schema, key))) return undefined;
  }
  return types.size === 0 || types.has("string") ? undefined : types;
}

function readText(text: string, types: ReadonlySet<string> | undefined): unknown {
  if (types === undefined) return text;
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if ((types.has("integer") || types.has("number")) && NUMBER.test(text)) return exactNumber(text);
  const first = text.trimStart()[0];
  if ((first !== "[" || !types.has("array")) && (first !== "{" || !types.has("object"))) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return hasType(parsed, first === "[" ? "array" : "object") && isWritable(parsed) ? parsed : text;
  } catch {
    return text;
  }
}

// Digits that a number cannot hold stay a text, and are refused as one.
function exactNumber(text: string): number | string {
  const value = Number(text);
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");
  if (!Number.isFinite(value)) return text;
  return digits.length <= 15 || (Number.isSafeInteger(value) && String(value) === text) ? value : text;
}

function coerceItems(list: unknown[], schemas: readonly Json[], lookup: RefLookup, depth: number): unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    const schema = schemas.map((one) => itemSchema(one, index)).find((one) => one !== undefined);
    if (schema === undefined) continue;
    const read = coerceAt(schema, item, lookup, depth + 1);
    if (read === item) continue;
    copy ??= [...list];
    copy[index] = read;
  }
  return copy ?? list;
}

function itemSchema(schema: Json, index: number): unknown {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return index < prefix.length ? prefix[index] : schema.items;
}

function coerceKeys(value: Json, schemas: readonly Json[], lookup: RefLookup, depth: number): Json {
  let copy: Json | undefined;
  for (const key of Object.keys(value)) {
    const schema = schemas.map((one) => keySchema(one, key)).find((one) => one !== undefined);
    if (schema === undefined) continue;
    const read = coerceAt(schema, value[key], lookup, depth + 1);
    if (read === value[key]) continue;
    copy ??= { ...value };
    put(copy, key, read);
  }
  return copy ?? value;
}

function keySchema(schema: Json, key: string): unknown {
  const named = isJsonObject(schema.properties) ? own(schema.properties, key) : undefined;
  return named ?? schema.additionalProperties;
}
