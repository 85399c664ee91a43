import type { StandardSchemaV1 } from "@standard-schema/spec";
import { schemaFault } from "./fault.ts";
import { KEYWORDS } from "./json/keywords.ts";
import { isJsonObject, isPlainObject } from "./plain.ts";
import { SHORTHAND_WORDS } from "./shorthand-types.ts";

/** A schema of a library that follows the Standard Schema convention; it may also give JSON Schema. */
export type LibrarySchema = StandardSchemaV1 & {
  readonly "~standard": {
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => unknown };
  };
};

type Json = { [key: string]: unknown };

/** How a form is read. */
export type SchemaReading =
  | { readonly kind: "library"; readonly schema: LibrarySchema }
  | { readonly kind: "json"; readonly schema: Json }
  | { readonly kind: "map"; readonly map: Json };

/** Whether a value is a schema object of a library (arktype's are functions). */
export function isLibrarySchema(value: unknown): value is LibrarySchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard: unknown = (value as { "~standard"?: unknown })["~standard"];
  return (
    isJsonObject(standard) && (typeof standard.validate === "function" || isJsonObject(standard.jsonSchema))
  );
}

/** Whether a plain object is JSON Schema by the one rule; undefined: it could be meant either way. */
export function isJsonSchemaForm(form: Json): boolean | undefined {
  if (typeof form.$schema === "string" || typeof form.$ref === "string") return true;
  if (["anyOf", "oneOf", "allOf"].some((keyword) => isListOfSchemas(form[keyword]))) return true;
  if (form.type !== "object") return false;
  if (isPlainObject(form.properties) && !isLibrarySchema(form.properties)) return true;
  const others = Object.keys(form).filter((key) => key !== "type");
  return others.length > 0 && others.every((key) => !KEYWORDS.has(key) && isShorthand(form[key]))
    ? false
    : undefined;
}

// A map may have a key of this name, whose type is then a list of one word: `{ anyOf: ["string"] }`.
function isListOfSchemas(value: unknown): boolean {
  return Array.isArray(value) && !(value.length === 1 && typeof value[0] === "string");
}

function isShorthand(value: unknown): boolean {
  if (typeof value === "string") return SHORTHAND_WORDS.has(value.replace(/\?$/, ""));
  return Array.isArray(value) ? value.length === 1 : typeof value === "object" && value !== null;
}

/** Tells which form a schema has. @throws CastellanError `invalid_schema`. */
export function readForm(form: unknown, tool: string): SchemaReading {
  if (isLibrarySchema(form)) return { kind: "library", schema: form };
  if (!isPlainObject(form)) {
    throw schemaFault(
      tool,
      "",
      `a schema cannot be ${form === null ? "null" : Array.isArray(form) ? "a list" : describeStranger(form)}.`,
      'Give a map such as { city: "string" }, a Zod shape or object, or a JSON Schema; {} for a tool without input.',
    );
  }
  const isJson = isJsonSchemaForm(form);
  if (isJson === undefined) {
    throw schemaFault(
      tool,
      "",
      'TypeError: { type: "object" } without properties can be read in two ways.',
      'JSON Schema: write { type: "object", properties: {} } and put the keys into properties. ' +
        'A map with one key named type that holds an object: write { type: describe("object", "what it is") }.',
    );
  }
  return isJson ? { kind: "json", schema: form } : { kind: "map", map: form };
}

function describeStranger(form: unknown): string {
  if (typeof form === "object") return "an instance of a class that is no Standard Schema";
  return form === undefined ? "undefined" : `a ${typeof form}`;
}
