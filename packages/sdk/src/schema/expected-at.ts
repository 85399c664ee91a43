import { refLookup } from "./json/refs.ts";
import { isJsonObject, own } from "./plain.ts";

type Json = { [key: string]: unknown };

/**
 * What a JSON Schema wants at a place, in a few words: `integer, at least 1`, `one of "a", "b"`. Undefined where it
 * says nothing, or several things.
 */
export function expectedAt(root: Json, path: readonly PropertyKey[]): string | undefined {
  const lookup = refLookup(root);
  const follow = (schema: unknown): Json | undefined => {
    let current = schema;
    for (let hops = 0; hops < 20 && isJsonObject(current) && typeof current.$ref === "string"; hops++)
      current = lookup(current.$ref);
    return isJsonObject(current) ? current : undefined;
  };
  const below = (schema: Json, key: PropertyKey, depth: number): Json | undefined => {
    const own = follow(typeof key === "number" ? itemAt(schema, key) : keyAt(schema, String(key)));
    if (own !== undefined || depth > 5) return own;
    for (const part of partsOf(schema)) {
      const inner = follow(part);
      const found = inner === undefined ? undefined : below(inner, key, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  let at = follow(root);
  for (const key of path) at = at === undefined ? undefined : below(at, key, 0);
  return at === undefined ? undefined : wanted(at);
}

/** What may stand for a schema, or beside it, in the same place. */
function partsOf(schema: Json): unknown[] {
  return ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list : [];
  });
}

function keyAt(schema: Json, key: string): unknown {
  const named = isJsonObject(schema.properties) ? own(schema.properties, key) : undefined;
  return named ?? schema.additionalProperties;
}

function itemAt(schema: Json, index: number): unknown {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return index < prefix.length ? prefix[index] : schema.items;
}

function wanted(schema: Json): string | undefined {
  if (Object.hasOwn(schema, "const")) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) {
    const shown = schema.enum.slice(0, 8).map((value) => JSON.stringify(value));
    return `one of ${shown.join(", ")}${schema.enum.length > 8 ? " …" : ""}`;
  }
  const words = [typesOf(schema), ...BOUNDS.map(([key, word]) => boundOf(schema[key], word))];
  const told = words.filter((word) => word !== undefined);
  return told.length === 0 ? undefined : told.join(", ");
}

function typesOf({ type, anyOf, oneOf, format }: Json): string | undefined {
  const list = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(list)) {
    const each = list.map((one) => (isJsonObject(one) ? wanted(one) : undefined));
    return each.includes(undefined) ? undefined : [...new Set(each)].join(" or ");
  }
  const types = Array.isArray(type) ? type.join(" or ") : type;
  if (typeof types !== "string") return undefined;
  return typeof format === "string" ? `${types} (${format})` : types;
}

const BOUNDS: readonly (readonly [key: string, word: string])[] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["minLength", "characters at least"],
  ["maxLength", "characters at most"],
  ["minItems", "items at least"],
  ["maxItems", "items at most"],
];

// The bounds that a library puts around every whole number say nothing.
function boundOf(value: unknown, word: string): string | undefined {
  if (typeof value !== "number" || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return undefined;
  return word.startsWith("characters") || word.startsWith("items") ? `${value} ${word}` : `${word} ${value}`;
}
