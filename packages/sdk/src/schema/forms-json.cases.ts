import type { FormCase } from "./forms.cases.ts";

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });

/** Full JSON Schemas. */
export const JSON_FORM_CASES: readonly FormCase[] = [
  {
    name: "json: enum, ranges, length",
    form: object({
      e: { enum: ["x", 1, null] },
      n: { type: "number", minimum: 0, exclusiveMaximum: 2, multipleOf: 0.1 },
      s: { minLength: 2, maxLength: 3 },
    }),
    takes: [{ e: null, n: 0.3 }, { s: "ab", keep: 1 }, { s: "👍👍👍" }],
    refuses: [
      [{ e: "y" }, "e"],
      [{ n: 2 }, "n"],
      [{ n: -1 }, "n"],
      [{ n: 0.35 }, "n"],
      [{ s: "a" }, "s"],
      [{ s: "abcd" }, "s"],
    ],
  },
  {
    name: "json: closed",
    form: object({ a: {} }, { additionalProperties: false, required: ["a"] }),
    takes: [{ a: 1 }],
    refuses: [
      [{ a: 1, b: 1 }, "b"],
      [{}, "a"],
    ],
  },
  {
    name: "json: lists",
    form: object({
      l: {
        type: "array",
        prefixItems: [{ type: "string" }],
        items: { type: "integer" },
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        contains: { const: 7 },
      },
    }),
    takes: [{ l: ["a", 7] }],
    refuses: [
      [{ l: [] }, "l"],
      [{ l: ["a", "b", 7] }, "l.1"],
      [{ l: ["a", 7, 7] }, "l.2"],
      [{ l: ["a", 1] }, "l"],
      [{ l: ["a", 7, 1, 2] }, "l"],
    ],
  },
  {
    name: "json: $ref and recursion",
    form: object(
      { t: { $ref: "#/$defs/t" } },
      {
        $defs: {
          t: object({ kids: { type: "array", items: { $ref: "#/$defs/t" } } }, { required: ["kids"] }),
        },
      },
    ),
    takes: [{ t: { kids: [{ kids: [] }] } }],
    refuses: [[{ t: { kids: [{}] } }, "t.kids.0.kids"]],
  },
  {
    name: "json: anchors and $id",
    form: object(
      { a: { $ref: "#word" }, b: { $ref: "https://x.test/s#/$defs/w" } },
      { $id: "https://x.test/s", $defs: { w: { $anchor: "word", type: "string" } } },
    ),
    takes: [{ a: "", b: "" }],
    refuses: [
      [{ a: 1 }, "a"],
      [{ b: 1 }, "b"],
    ],
  },
  {
    name: "json: a root that is a $ref",
    form: { $ref: "#/$defs/in", $defs: { in: object({ a: { type: "string" } }, { required: ["a"] }) } },
    takes: [{ a: "" }],
    refuses: [[{}, "a"]],
  },
  {
    name: "json: anyOf at the root",
    form: {
      anyOf: [object({ a: {} }, { required: ["a"] }), { $ref: "#/$defs/b" }],
      $defs: { b: object({ b: { $ref: "#/anyOf/0" } }, { required: ["b"] }) },
    },
    becomes: [
      [{ input: { a: 1 } }, { a: 1 }],
      [{ b: { a: 2 } }, { b: { a: 2 } }],
    ],
    refuses: [
      [{ input: {} }, "input"],
      [{ c: 1 }, ""],
      [{ input: 5 }, "input"],
      [{}, "input"],
    ],
  },
  {
    name: "json: oneOf at the root, its key taken",
    form: object({ input: { type: "string" } }, { oneOf: [{ required: ["input"] }, { required: ["b"] }] }),
    becomes: [[{ value: { input: "x" } }, { input: "x" }]],
    refuses: [[{ value: { input: "", b: 1 } }, "value"]],
  },
  {
    name: "json: anyOf, not, if",
    form: object({
      x: { anyOf: [{ type: "string" }, object({ n: { type: "integer" } }, { required: ["n"] })] },
      y: { not: { const: 1 } },
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword
      z: { if: { type: "string" }, then: { minLength: 2 }, else: { type: "integer" } },
    }),
    takes: [
      { x: "", y: 2, z: 3 },
      { x: { n: 1 }, z: "ab" },
    ],
    refuses: [
      [{ x: { n: 0.5 } }, "x"],
      [{ y: 1 }, "y"],
      [{ z: "a" }, "z"],
      [{ z: null }, "z"],
    ],
  },
  {
    name: "json: names of keys",
    form: object(
      {},
      {
        patternProperties: { "^n_": { type: "number" } },
        propertyNames: { maxLength: 5 },
        minProperties: 1,
        maxProperties: 2,
        dependentRequired: { a: ["b"] },
        dependentSchemas: { c: { required: ["d"] } },
      },
    ),
    takes: [{ n_a: 1 }, { a: 1, b: 2 }, { c: 1, d: 1 }],
    refuses: [
      [{ n_a: "x" }, "n_a"],
      [{ toolong: 1 }, "toolong"],
      [{}, ""],
      [{ a: 1 }, "b"],
      [{ c: 1 }, "d"],
      [{ x: 1, y: 1, z: 1 }, ""],
    ],
  },
  {
    name: "json: unevaluated",
    form: object(
      { a: {} },
      { $ref: "#/$defs/base", unevaluatedProperties: false, $defs: { base: object({ b: {} }) } },
    ),
    becomes: [[{ input: { a: 1, b: 2 } }, { a: 1, b: 2 }]],
    refuses: [[{ input: { c: 1 } }, "input.c"]],
  },
  {
    name: "json: older drafts",
    form: object(
      {
        t: { type: "array", items: [{ type: "string" }], additionalItems: false },
        n: { minimum: 0, exclusiveMinimum: true },
      },
      { $schema: "http://json-schema.org/draft-07/schema#", dependencies: { a: ["b"] }, definitions: {} },
    ),
    takes: [{ t: ["a"], n: 1 }],
    refuses: [
      [{ t: ["a", "b"] }, "t.1"],
      [{ n: 0 }, "n"],
      [{ a: 1 }, "b"],
    ],
  },
  {
    name: "json: $schema alone says so",
    form: { $schema: "https://json-schema.org/draft/2020-12/schema", properties: { type: { const: "x" } } },
    takes: [{ type: "x" }],
    refuses: [
      [{ type: "y" }, "type"],
      ["x", ""],
    ],
  },
  {
    name: "json: pattern and format",
    form: object({ p: { pattern: "^a+$" }, f: { format: "uuid" }, other: { format: "phone" } }),
    takes: [{ p: "aaa", f: "123E4567-e89b-12d3-a456-426614174000", other: "?" }],
    refuses: [
      [{ p: "ab" }, "p"],
      [{ f: "x" }, "f"],
    ],
  },
];
