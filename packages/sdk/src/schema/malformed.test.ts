import * as v from "valibot";
import { expect, describe as group, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { isCastellanError } from "../protocol/index.ts";
import { compileSchema } from "./compile-schema.ts";
import { describe } from "./describe.ts";

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });

const loop: { type: string; properties: Record<string, unknown> } = { type: "object", properties: {} };
loop.properties.self = loop;

/** Forms that cannot be a schema, with words that the error must hold: the place, and the way out. */
const BAD: readonly (readonly [name: string, form: unknown, ...words: string[]])[] = [
  ["undefined", undefined, "undefined", "{} for a tool without input"],
  ["null", null, "null"],
  ["a list", ["string"], "a list"],
  ["a text", "string", "a string"],
  ["an instance", new Map(), "class"],
  ["a bare object type", { type: "object" }, "TypeError", "properties: {}", "describe("],
  ["an object type beside keywords", { type: "object", additionalProperties: false }, "two ways"],
  ["a nested bare object type", { a: { type: "object" } }, "at a", "two ways"],
  ["an unknown word", { a: "strng" }, "at a", 'Did you mean "string"'],
  ["a word of another language", { a: "int" }, '"integer"'],
  ["a list in brackets", { a: "string[]" }, '["string"]'],
  ["a question mark at the key", { "a?": "string" }, 'a: "string?"'],
  ["a list of two", { a: ["string", "number"] }, "one member"],
  ["a value that is no type", { a: 5 }, "at a"],
  ["a blank key", { " ": "string" }, "blank"],
  ["a library schema inside a list", { a: [z.string()], b: "string" }, "z.array"],
  ["zod date", { when: z.date() }, "when", "JSON Schema", "z.iso.date()"],
  ["zod bigint in an object", z.object({ n: z.bigint() }), "JSON Schema"],
  ["zod 3 date", z3.object({ a: z3.date() }), "z.date", "z.iso.date()"],
  ["valibot without its wrapper", v.object({ a: v.string() }), "toStandardJsonSchema"],
  ["a root that is a string", z.string(), "object"],
  ["a JSON root that is a list", { $schema: "x", type: "array" }, "at type"],
  ["a library schema inside JSON Schema", object({ a: z.string() }), "properties.a", "library"],
  ["a function inside", object({ a: { default: () => 1 } }), "properties.a.default"],
  ["a big integer inside", object({ a: { const: 1n } }), "properties.a.const"],
  ["a schema that contains itself", loop, "contains itself"],
  ["an unknown type name", object({ a: { type: "strng" } }), "properties.a.type", "string"],
  ["a type that is a number", object({ a: { type: 5 } }), "properties.a.type"],
  ["required as a flag", object({ a: { type: "string", required: true } }), "properties.a.required", "list"],
  ["a property that is no schema", object({ a: "string" }), "properties.a", "schema"],
  ["properties that are a list", { type: "object", $schema: "x", properties: [] }, "at properties"],
  ["an empty enum", object({ a: { enum: [] } }), "properties.a.enum"],
  ["an enum that is no list", object({ a: { enum: "x" } }), "properties.a.enum"],
  ["a negative length", object({ a: { minLength: -1 } }), "properties.a.minLength", "0"],
  ["a bound that is a text", object({ a: { minimum: "1" } }), "properties.a.minimum", "number"],
  ["a multiple of nothing", object({ a: { multipleOf: 0 } }), "properties.a.multipleOf"],
  ["items that are a text", object({ a: { items: "string" } }), "properties.a.items"],
  ["an empty anyOf", object({ a: { anyOf: [] } }), "properties.a.anyOf"],
  ["a reference into nothing", object({ a: { $ref: "#/$defs/x" } }), "properties.a.$ref", "#/$defs/name"],
  ["a reference to another document", object({ a: { $ref: "https://x.test/s" } }), "not loaded"],
  ["a reference to a prototype's name", object({ a: { $ref: "#/constructor" } }), "points at nothing"],
  ["a reference to itself", object({ a: { $ref: "#/properties/a" } }), "itself"],
  [
    "two references in a circle",
    object(
      { a: { $ref: "#/$defs/x" } },
      { $defs: { x: { anyOf: [{ $ref: "#/$defs/y" }] }, y: { $ref: "#/$defs/x" } } },
    ),
    "itself",
  ],
  ["a dynamic reference", object({ a: { $dynamicRef: "#x" } }), "not supported"],
  ["an $id below the root", object({ a: { $id: "https://x.test/a" } }), "properties.a.$id"],
  ["a broken pattern", object({ a: { pattern: "(" } }), "properties.a.pattern"],
  ["a pattern with look-ahead", object({ a: { pattern: "^(?=x)" } }), "look-ahead", "linear-time"],
  ["a pattern with look-behind", object({ a: { pattern: "(?<!x)y" } }), "look-behind"],
  ["a pattern with a back-reference", object({ a: { pattern: "(a)\\1" } }), "back-reference"],
  ["a broken key pattern", object({}, { patternProperties: { "[": {} } }), "patternProperties"],
  ["a misspelt keyword", object({ a: { minLenght: 1 } }), "properties.a.minLenght", "minLength"],
  ["a misspelt keyword at the root", object({}, { additionalProperites: false }), "additionalProperties"],
];

group("forms that cannot be a schema", () => {
  it.each(BAD)("%s", (_name, form, ...words) => {
    let thrown: unknown;
    try {
      compileSchema(form, { tool: "weather" });
    } catch (error) {
      thrown = error;
    }
    if (!isCastellanError(thrown, "invalid_schema")) throw new Error(`not refused: ${String(thrown)}`);
    expect(thrown.message).toContain('Tool "weather"');
    for (const word of words) expect(thrown.message).toContain(word);
    expect(thrown.fix).toBeTruthy();
  });

  it("takes words that only annotate", () => {
    const form = object({
      a: { "x-order": 1, example: "e", examples: ["e"], nullable: true, markdownDescription: "m" },
    });
    expect(compileSchema(form, { tool: "t" }).parse({ a: 1 })).toEqual({ ok: true, input: { a: 1 } });
  });

  it("refuses a blank description", () => {
    expect(() => describe("string", "  ")).toThrow("blank");
  });
});
