import { nearestName } from "../protocol/index.ts";
import { isDescribed } from "./describe.ts";
import { schemaFault } from "./fault.ts";
import { isPlainObject, put } from "./plain.ts";
import { isJsonSchemaForm, isLibrarySchema } from "./read-form.ts";
import { SHORTHAND_WORDS } from "./shorthand-types.ts";

type Json = { [key: string]: unknown };

/** One key of a map: its JSON Schema, and whether it may be left out. */
export interface ShorthandField {
  readonly schema: Json;
  readonly optional: boolean;
}

// What people write who know other languages.
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ["str", "string"],
  ["text", "string"],
  ["int", "integer"],
  ["float", "number"],
  ["double", "number"],
  ["bool", "boolean"],
  ["dict", "object"],
  ["map", "object"],
]);

/** A shorthand map without library schemas as JSON Schema. @throws CastellanError `invalid_schema`. */
export function mapSchema(map: Json, tool: string, place = ""): Json {
  const properties: Json = {};
  const required: string[] = [];
  for (const [key, type] of Object.entries(map)) {
    const at = place === "" ? key : `${place}.${key}`;
    checkKey(key, tool, at);
    const field = readField(type, tool, at);
    put(properties, key, field.schema);
    if (!field.optional) required.push(key);
  }
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

/** @throws CastellanError `invalid_schema` for a key that no model could write. */
export function checkKey(key: string, tool: string, at: string): void {
  if (key.trim() === "") throw schemaFault(tool, at, "a key is blank.", "Name it.");
  if (!key.endsWith("?")) return;
  throw schemaFault(
    tool,
    at,
    `the ? stands at the key "${key}".`,
    `Write it at the type: ${key.slice(0, -1)}: "string?".`,
  );
}

/** Reads one type of a map. @throws CastellanError `invalid_schema`. */
export function readField(type: unknown, tool: string, at: string): ShorthandField {
  if (isDescribed(type)) {
    const field = readField(type.type, tool, at);
    return {
      schema: { ...field.schema, description: type.text },
      optional: field.optional || type.optional,
    };
  }
  if (typeof type === "string") return readWord(type, tool, at);
  if (Array.isArray(type)) return readList(type, tool, at);
  if (isLibrarySchema(type)) {
    throw schemaFault(
      tool,
      at,
      "a library's schema stands inside a list or a nested map.",
      "Use that library's own list or object here, such as z.array(…).",
    );
  }
  if (!isPlainObject(type)) {
    throw schemaFault(
      tool,
      at,
      `${String(type)} is not a type.`,
      `Use one of ${words()}, [type], or a nested map.`,
    );
  }
  return { schema: isNestedJsonSchema(type, tool, at) ? type : mapSchema(type, tool, at), optional: false };
}

function isNestedJsonSchema(form: Json, tool: string, at: string): boolean {
  const isJson = isJsonSchemaForm(form);
  if (isJson !== undefined) return isJson;
  throw schemaFault(
    tool,
    at,
    '{ type: "object" } without properties can be read in two ways.',
    'Write "object" for any object, or { type: "object", properties: … }.',
  );
}

function readWord(text: string, tool: string, at: string): ShorthandField {
  const optional = text.endsWith("?");
  const word = optional ? text.slice(0, -1) : text;
  if (SHORTHAND_WORDS.has(word)) return { schema: { type: word }, optional };
  const element = /^(.+)\[\]$/.exec(word)?.[1];
  if (element !== undefined) {
    throw schemaFault(tool, at, `"${text}" is not a type.`, `Write a list as ["${element}"].`);
  }
  const near = OTHER_WORDS.get(word.toLowerCase()) ?? nearestName(word, SHORTHAND_WORDS);
  throw schemaFault(
    tool,
    at,
    `"${text}" is not a type.`,
    near === undefined
      ? `The words are ${words()}. A full JSON Schema has type: "object" beside properties.`
      : `Did you mean "${near}"?`,
  );
}

function readList(type: readonly unknown[], tool: string, at: string): ShorthandField {
  if (type.length !== 1) {
    throw schemaFault(
      tool,
      at,
      `a list type has one member, this has ${type.length}.`,
      'Write ["string"]; for a choice of values use a JSON Schema with enum, or z.enum.',
    );
  }
  // Items of a list cannot be absent, so a `?` there can only mean the list.
  const item = readField(type[0], tool, at);
  return { schema: { type: "array", items: item.schema }, optional: item.optional };
}

function words(): string {
  return [...SHORTHAND_WORDS].map((word) => `"${word}"`).join(", ");
}
