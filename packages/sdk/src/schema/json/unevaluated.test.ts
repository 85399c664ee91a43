import { describe, expect, it } from "vitest";
import { compileValidator } from "./validator.ts";

type Json = { [key: string]: unknown };
const object = (...names: string[]): Json => ({
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

// biome-ignore-start lint/suspicious/noThenProperty: it is the keyword
/** A schema that closes what nothing else judged, values that it takes, and values that it refuses. */
const CASES: readonly (readonly [name: string, schema: Json, takes: unknown[], refuses: unknown[]])[] = [
  ["beside properties", { ...object("a"), unevaluatedProperties: false }, [{}, { a: 1 }, 5], [{ b: 1 }]],
  [
    "through allOf",
    { allOf: [object("a"), object("b")], unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  [
    "through $ref",
    { $ref: "#/$defs/x", $defs: { x: object("a") }, unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  [
    "only the branch of anyOf that matched",
    {
      anyOf: [
        { ...object("a"), required: ["a"] },
        { ...object("b"), required: ["b"] },
      ],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, c: 1 }],
  ],
  [
    "only the branch of oneOf that matched",
    {
      oneOf: [
        { ...object("a"), required: ["a"] },
        { ...object("b"), required: ["b"] },
      ],
      unevaluatedProperties: false,
    },
    [{ b: 1 }],
    [{ b: 1, c: 1 }],
  ],
  ["not through not", { not: { not: object("a") }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
  [
    "if and then",
    {
      if: { ...object("a"), required: ["a"] },
      then: object("b"),
      else: object("c"),
      unevaluatedProperties: false,
    },
    [{ a: 1, b: 1 }, { c: 1 }],
    [{ b: 1 }, { a: 1, c: 1 }],
  ],
  [
    "dependent schemas",
    { ...object("a"), dependentSchemas: { a: object("b") }, unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [{ b: 1 }],
  ],
  [
    "patterns and the rest",
    { patternProperties: { "^x": {} }, unevaluatedProperties: { type: "integer" } },
    [{ xa: "", b: 1 }],
    [{ b: "" }],
  ],
  [
    "additionalProperties judge everything",
    { additionalProperties: true, unevaluatedProperties: false },
    [{ z: 1 }],
    [],
  ],
  [
    "not what a deeper object judged",
    { properties: { a: object("b") }, unevaluatedProperties: false },
    [{ a: { b: 1 } }],
    [{ b: 1 }],
  ],
  [
    "closed inside is seen outside",
    { allOf: [{ ...object("a"), unevaluatedProperties: { type: "integer" } }], unevaluatedProperties: false },
    [{ a: "", z: 1 }],
    [{ z: "" }],
  ],
  ["items behind a prefix", { prefixItems: [{}], unevaluatedItems: false }, [[], [1], {}], [[1, 2]]],
  [
    "items that contains matched",
    { contains: { type: "integer" }, unevaluatedItems: { type: "string" } },
    [[1, "a", 2]],
    [[1, null], ["a"]],
  ],
  [
    "items through anyOf",
    {
      anyOf: [{ prefixItems: [{ const: 1 }] }, { prefixItems: [{}, { const: 2 }] }],
      unevaluatedItems: false,
    },
    [[1], [1, 2], [0, 2]],
    [
      [1, 3],
      [1, 2, 3],
    ],
  ],
  ["items judge everything", { items: {}, unevaluatedItems: false }, [[1, 2]], []],
  [
    "a list in an object in it",
    { unevaluatedItems: { additionalProperties: { contains: { type: "null" } } } },
    [[{ a: [null] }]],
    [[{ a: [null], b: [] }]],
  ],
];
// biome-ignore-end lint/suspicious/noThenProperty: it is the keyword

describe("what nothing else judged", () => {
  it.each(CASES)("%s", (_name, schema, takes, refuses) => {
    const validate = compileValidator(schema);
    expect(takes.filter((value) => validate(value).length > 0)).toEqual([]);
    expect(refuses.filter((value) => validate(value).length === 0)).toEqual([]);
  });
});
