import { isJsonObject, put } from "../plain.ts";

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "contains",
  "unevaluatedItems",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
]);

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set(["prefixItems", "allOf", "anyOf", "oneOf"]);

/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

type Json = { [key: string]: unknown };

/**
 * A copy of a schema in which `change` was applied to each schema of it, inner ones first.
 * Values that only look like schemas (in `enum`, `default`, `examples`) are left alone.
 */
export function mapSchemas(schema: unknown, change: (node: Json) => Json): unknown {
  if (!isJsonObject(schema)) return schema;
  const inner = (value: unknown): unknown => mapSchemas(value, change);
  const copy: Json = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (SCHEMA_KEYWORDS.has(keyword))
      put(copy, keyword, Array.isArray(value) ? value.map(inner) : inner(value));
    else if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(value)) put(copy, keyword, value.map(inner));
    else if (SCHEMA_MAP_KEYWORDS.has(keyword) && isJsonObject(value)) {
      const named: Json = {};
      for (const [name, item] of Object.entries(value)) put(named, name, inner(item));
      put(copy, keyword, named);
    } else put(copy, keyword, value);
  }
  return change(copy);
}

/** Every schema directly inside a schema, with its place from there. The schema must be well formed. */
export function* subschemas(
  schema: Json,
): Generator<readonly [keyword: string, place: string, schema: unknown]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (SCHEMA_KEYWORDS.has(keyword)) yield [keyword, keyword, value];
    else if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield [keyword, `${keyword}.${index}`, item];
    } else if (SCHEMA_MAP_KEYWORDS.has(keyword) && isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) yield [keyword, `${keyword}.${name}`, item];
    }
  }
}
