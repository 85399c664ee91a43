import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileSchema } from "./compile-schema.ts";
import { expectedAt } from "./expected-at.ts";

const at = (schema: object) => ({ type: "object", properties: { a: schema } });
const LONG = Array.from({ length: 9 }, (_, i) => i);

type Row = readonly [
  what: string,
  root: Record<string, unknown>,
  path: PropertyKey[],
  said: string | undefined,
];

const rows: readonly Row[] = [
  ["a type", at({ type: "string" }), ["a"], "string"],
  ["several types", at({ type: ["string", "null"] }), ["a"], "string or null"],
  ["a format", at({ type: "string", format: "date" }), ["a"], "string (date)"],
  ["a constant", at({ const: "x" }), ["a"], '"x"'],
  ["few values", at({ type: "string", enum: ["x", 1] }), ["a"], 'one of "x", 1'],
  ["many values", at({ enum: LONG }), ["a"], "one of 0, 1, 2, 3, 4, 5, 6, 7 …"],
  ["a range", at({ type: "integer", minimum: 0, maximum: 9 }), ["a"], "integer, at least 0, at most 9"],
  ["an open range", at({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), ["a"], "more than 0, less than 1"],
  [
    "the bounds of all whole numbers",
    at({ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ["a"],
    "integer",
  ],
  [
    "lengths",
    at({ type: "string", minLength: 2, maxLength: 3 }),
    ["a"],
    "string, 2 characters at least, 3 characters at most",
  ],
  [
    "counts",
    at({ type: "array", minItems: 1, maxItems: 2 }),
    ["a"],
    "array, 1 items at least, 2 items at most",
  ],
  [
    "a choice",
    at({ anyOf: [{ type: "string" }, { type: "number", minimum: 1 }] }),
    ["a"],
    "string or number, at least 1",
  ],
  ["a choice of one form that says nothing", at({ anyOf: [{ type: "string" }, {}] }), ["a"], undefined],
  ["nothing", at({}), ["a"], undefined],
  ["the root", at({}), [], "object"],
  ["an item", at({ type: "array", items: { type: "boolean" } }), ["a", 3], "boolean"],
  [
    "an item with a place of its own",
    at({ prefixItems: [{ type: "null" }], items: { type: "boolean" } }),
    ["a", 0],
    "null",
  ],
  ["any other key", at({ additionalProperties: { type: "number" } }), ["a", "x"], "number"],
  ["a key that nobody named", at({ type: "object" }), ["a", "x"], undefined],
  ["a key of Object.prototype", at({ type: "object", properties: {} }), ["a", "constructor"], undefined],
  [
    "a $ref, more than one hop away",
    { ...at({ $ref: "#/$defs/one" }), $defs: { one: { $ref: "#/$defs/two" }, two: { type: "string" } } },
    ["a"],
    "string",
  ],
  [
    "below a $ref to the root",
    { type: "object", properties: { kid: { $ref: "#" }, name: { type: "string" } } },
    ["kid", "kid", "name"],
    "string",
  ],
  ["a $ref that points at nothing", at({ $ref: "#/$defs/none" }), ["a"], undefined],
  [
    "a $ref that points at itself",
    { ...at({ $ref: "#/$defs/x" }), $defs: { x: { $ref: "#/$defs/x" } } },
    ["a"],
    undefined,
  ],
  ["through anyOf", at({ anyOf: [{ type: "null" }, at({ type: "string" })] }), ["a", "a"], "string"],
  ["through oneOf in allOf", at({ allOf: [{ oneOf: [at({ type: "string" })] }] }), ["a", "a"], "string"],
  [
    "through a $ref in anyOf",
    { ...at({ anyOf: [{ $ref: "#/$defs/x" }] }), $defs: { x: at({ type: "string" }) } },
    ["a", "a"],
    "string",
  ],
];

describe("what a schema wants at a place", () => {
  it.each(rows)("%s", (_, root, path, said) => {
    expect(expectedAt(root, path)).toBe(said);
  });

  it("is found where the schema stands below one key of what the model sees, with its definitions", async () => {
    const tree = z.object({
      t: z.literal("tree"),
      name: z.string(),
      get kids() {
        return z.array(tree).optional();
      },
    });
    const form = z.discriminatedUnion("t", [tree, z.object({ t: z.literal("leaf"), n: z.int().min(1) })]);
    const { jsonSchema, parse } = compileSchema(form, { tool: "t" });
    expect(jsonSchema).toMatchObject({ properties: { input: expect.anything() }, $defs: expect.anything() });
    const branch = { t: "tree", name: "b", kids: [{ t: "tree", name: 5 }] };
    expect(await parse({ input: { t: "tree", name: "a", kids: [branch] } })).toMatchObject({
      issues: [{ path: "kids.0.kids.0.name", expected: "string" }],
    });
    expect(await parse({ t: "leaf", n: 0 })).toMatchObject({
      issues: [{ path: "n", expected: "integer, at least 1" }],
    });
  });
});
