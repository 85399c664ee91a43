import { describe, expect, it } from "vitest";
import { compileValidator } from "./validator.ts";

type Json = { [key: string]: unknown };
const one = { const: 1 };

/** A schema, lists that it takes, and lists that it refuses. */
const CASES: readonly (readonly [name: string, schema: Json, takes: unknown[], refuses: unknown[]])[] = [
  ["one at least", { contains: one }, [[1], [2, 1], "no list"], [[], [2]]],
  ["beside a prefix", { prefixItems: [{}], contains: one }, [[1], [0, 1]], [[], [0]]],
  ["none is enough", { contains: one, minContains: 0 }, [[], [2], [1]], []],
  [
    "two at least",
    { contains: one, minContains: 2 },
    [
      [1, 1],
      [1, 0, 1, 1],
    ],
    [[1], [1, 0]],
  ],
  ["two at most", { contains: one, maxContains: 2 }, [[1], [1, 1, 0]], [[1, 1, 1], []]],
  ["none at least, one at most", { contains: one, minContains: 0, maxContains: 1 }, [[], [1]], [[1, 1]]],
  ["bounds without contains mean nothing", { minContains: 2, maxContains: 0 }, [[], [1]], []],
  ["anything", { contains: true }, [[0]], [[]]],
  ["nothing", { contains: false }, ["x"], [[], [1]]],
];

describe("contains", () => {
  it.each(CASES)("%s", (_name, schema, takes, refuses) => {
    const validate = compileValidator(schema);
    expect(takes.filter((value) => validate(value).length > 0)).toEqual([]);
    expect(refuses.filter((value) => validate(value).length === 0)).toEqual([]);
  });
});
