/** What the value of a keyword has to be. */
export type KeywordKind =
  | "any"
  | "boolean"
  | "count"
  | "enum"
  | "names"
  | "namesMap"
  | "number"
  | "pattern"
  | "patternMap"
  | "positive"
  | "rootOnly"
  | "schema"
  | "schemaList"
  | "schemaMap"
  | "string"
  | "type"
  | "unsupported";

/** The keywords of draft 2020-12 that say what a value must be. */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ["$id", "rootOnly"],
  ["$schema", "string"],
  ["$anchor", "string"],
  ["$ref", "string"],
  ["$dynamicRef", "unsupported"],
  ["$dynamicAnchor", "unsupported"],
  ["$recursiveRef", "unsupported"],
  ["$recursiveAnchor", "unsupported"],
  ["$defs", "schemaMap"],
  ["definitions", "schemaMap"],
  ["title", "string"],
  ["description", "string"],
  ["type", "type"],
  ["enum", "enum"],
  ["const", "any"],
  ["multipleOf", "positive"],
  ["maximum", "number"],
  ["exclusiveMaximum", "number"],
  ["minimum", "number"],
  ["exclusiveMinimum", "number"],
  ["maxLength", "count"],
  ["minLength", "count"],
  ["pattern", "pattern"],
  ["format", "string"],
  ["maxItems", "count"],
  ["minItems", "count"],
  ["uniqueItems", "boolean"],
  ["maxContains", "count"],
  ["minContains", "count"],
  ["contains", "schema"],
  ["prefixItems", "schemaList"],
  ["items", "schema"],
  ["unevaluatedItems", "schema"],
  ["maxProperties", "count"],
  ["minProperties", "count"],
  ["required", "names"],
  ["dependentRequired", "namesMap"],
  ["dependentSchemas", "schemaMap"],
  ["properties", "schemaMap"],
  ["patternProperties", "patternMap"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema"],
  ["propertyNames", "schema"],
  ["allOf", "schemaList"],
  ["anyOf", "schemaList"],
  ["oneOf", "schemaList"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
]);

/** Words that only describe, in JSON Schema itself or in wide use beside it. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "$vocabulary",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "default",
  "deprecated",
  "discriminator",
  "example",
  "examples",
  "nullable",
  "readOnly",
  "writeOnly",
  "xml",
]);
