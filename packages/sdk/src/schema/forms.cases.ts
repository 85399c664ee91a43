import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { describe } from "./describe.ts";

/** A form, inputs that it takes (as they are, or `[given, parsed]` in `becomes`), and inputs that it refuses with the place of the fault. */
export interface FormCase {
  readonly name: string;
  readonly form: unknown;
  readonly takes?: readonly unknown[];
  readonly becomes?: readonly (readonly [given: unknown, parsed: unknown])[];
  readonly refuses: readonly (readonly [given: unknown, path: string])[];
}

const tree = z.object({
  name: z.string(),
  get kids() {
    return z.array(tree).optional();
  },
});

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });

/** Shorthand maps and schemas of libraries. */
export const FORM_CASES: readonly FormCase[] = [
  {
    name: "map: string",
    form: { q: "string" },
    takes: [{ q: "a" }, { q: "", more: 1 }],
    refuses: [
      [{}, "q"],
      [{ q: 1 }, "q"],
      ["x", ""],
      [null, ""],
      [[], ""],
    ],
  },
  {
    name: "map: optional word",
    form: { n: "integer?" },
    takes: [{}, { n: 3 }],
    refuses: [
      [{ n: 1.5 }, "n"],
      [{ n: "x" }, "n"],
      [{ n: null }, "n"],
    ],
  },
  {
    name: "map: list",
    form: { tags: ["string"] },
    takes: [{ tags: [] }, { tags: ["a"] }],
    refuses: [
      [{ tags: [1] }, "tags.0"],
      [{ tags: "a" }, "tags"],
      [{}, "tags"],
    ],
  },
  {
    name: "map: optional list",
    form: { tags: ["string?"] },
    takes: [{}, { tags: ["a"] }],
    refuses: [[{ tags: [null] }, "tags.0"]],
  },
  {
    name: "map: nested",
    form: { opts: { deep: { on: "boolean" } } },
    takes: [{ opts: { deep: { on: true } } }],
    refuses: [
      [{ opts: { deep: {} } }, "opts.deep.on"],
      [{ opts: 1 }, "opts"],
    ],
  },
  {
    name: "map: number and object",
    form: { n: "number", o: "object" },
    takes: [{ n: 1.5, o: { a: [] } }],
    refuses: [
      [{ n: 1, o: [] }, "o"],
      [{ n: "1.", o: {} }, "n"],
    ],
  },
  {
    name: "map: described",
    form: { q: describe("string?", "what to look for") },
    takes: [{}, { q: "x" }],
    refuses: [[{ q: 5 }, "q"]],
  },
  {
    name: "map: described optional list",
    form: { q: describe(["integer"], "numbers", { optional: true }) },
    takes: [{}, { q: [1] }],
    refuses: [[{ q: ["x"] }, "q.0"]],
  },
  { name: "map: empty", form: {}, takes: [{}, { any: 1 }], refuses: [["", ""]] },
  {
    name: "map: a key called type",
    form: { type: "string" },
    takes: [{ type: "x" }],
    refuses: [
      [{}, "type"],
      ["x", ""],
    ],
  },
  {
    name: "map: a key called type that is an object, beside others",
    form: { type: "object", path: "string" },
    takes: [{ type: {}, path: "" }],
    refuses: [[{ path: "" }, "type"]],
  },
  {
    name: "map: a key called anyOf",
    form: { anyOf: ["string"] },
    takes: [{ anyOf: ["a"] }],
    refuses: [[{ anyOf: "a" }, "anyOf"]],
  },
  {
    name: "map: names of Object.prototype",
    form: { constructor: "string", ["__proto__"]: "integer" },
    takes: [JSON.parse('{"constructor":"a","__proto__":1}')],
    refuses: [
      [{}, "constructor"],
      [JSON.parse('{"constructor":"a","__proto__":"x"}'), "__proto__"],
    ],
  },
  {
    name: "map: a JSON Schema inside",
    form: { a: object({ b: { enum: ["x"] } }) },
    takes: [{ a: { b: "x" } }],
    refuses: [[{ a: { b: "y" } }, "a.b"]],
  },
  {
    name: "zod: raw shape",
    form: { a: z.string(), b: z.number().optional(), c: z.enum(["x", "y"]).default("x") },
    becomes: [
      [{ a: "s" }, { a: "s", c: "x" }],
      [
        { a: "s", b: 2, c: "y", gone: 1 },
        { a: "s", b: 2, c: "y" },
      ],
    ],
    refuses: [
      [{}, "a"],
      [{ a: "s", c: "z" }, "c"],
      [{ a: 1 }, "a"],
      [[], ""],
    ],
  },
  {
    name: "zod: object",
    form: z.object({ a: z.string(), n: z.int().min(1).max(3) }),
    becomes: [
      [
        { a: "s", n: 1, gone: 1 },
        { a: "s", n: 1 },
      ],
    ],
    refuses: [
      [{ a: "s", n: 4 }, "n"],
      [{ n: 1 }, "a"],
    ],
  },
  {
    name: "zod: strict object",
    form: z.strictObject({ a: z.string() }),
    takes: [{ a: "" }],
    refuses: [[{ a: "", b: 1 }, ""]],
  },
  {
    name: "zod: loose object",
    form: z.looseObject({ a: z.string() }),
    takes: [{ a: "", b: 1 }],
    refuses: [[{ b: 1 }, "a"]],
  },
  {
    name: "zod: transform and refine",
    form: {
      a: z
        .string()
        .transform(Number)
        .refine((n) => n > 1),
    },
    becomes: [[{ a: "5" }, { a: 5 }]],
    refuses: [[{ a: "0" }, "a"]],
  },
  {
    name: "zod: asynchronous refine",
    form: { a: z.string().refine(async (text) => text !== "taken"), b: z.string().optional() },
    takes: [{ a: "free" }],
    refuses: [
      [{ a: "taken" }, "a"],
      [{ a: 3 }, "a"],
    ],
  },
  {
    name: "zod: object with refine",
    form: z.object({ a: z.number(), b: z.number() }).refine((o) => o.a < o.b, { path: ["b"] }),
    takes: [{ a: 1, b: 2 }],
    refuses: [[{ a: 2, b: 1 }, "b"]],
  },
  {
    name: "zod: nested, nullish, record",
    form: {
      o: z.object({ x: z.array(z.object({ y: z.string() })) }),
      n: z.string().nullish(),
      r: z.record(z.string(), z.number()),
    },
    takes: [
      { o: { x: [] }, n: null, r: { a: 1 } },
      { o: { x: [{ y: "" }] }, r: {} },
    ],
    refuses: [[{ o: { x: [{}] }, r: {} }, "o.x.0.y"]],
  },
  {
    name: "zod: recursive",
    form: tree,
    takes: [{ name: "a", kids: [{ name: "b" }] }],
    refuses: [[{ name: "a", kids: [{}] }, "kids.0.name"]],
  },
  {
    name: "zod: recursive in a shape",
    form: { root: tree },
    takes: [{ root: { name: "a", kids: [] } }],
    refuses: [[{ root: { name: 1 } }, "root.name"]],
  },
  {
    name: "zod: union at the root",
    form: z.discriminatedUnion("t", [
      z.object({ t: z.literal("a"), n: z.number() }),
      z.object({ t: z.literal("b") }),
    ]),
    becomes: [
      [{ input: { t: "a", n: 1 } }, { t: "a", n: 1 }],
      [{ t: "b" }, { t: "b" }],
    ],
    refuses: [
      [{ input: { t: "a" } }, "n"],
      [{ t: "c" }, "t"],
    ],
  },
  {
    name: "zod and words in one shape",
    form: { a: z.string(), b: "integer?", c: describe(z.boolean(), "on or off") },
    becomes: [
      [
        { a: "", c: true, d: 0 },
        { a: "", c: true },
      ],
      [
        { a: "", b: 1, c: false },
        { a: "", b: 1, c: false },
      ],
    ],
    refuses: [
      [{ a: "", b: 1.5, c: true }, "b"],
      [{ a: "" }, "c"],
    ],
  },
  {
    name: "valibot",
    form: toStandardJsonSchema(v.object({ a: v.string(), b: v.optional(v.number(), 3) })),
    becomes: [[{ a: "" }, { a: "", b: 3 }]],
    refuses: [[{ a: 1 }, "a"]],
  },
  {
    name: "valibot in a shape",
    form: { a: toStandardJsonSchema(v.optional(v.string())), b: toStandardJsonSchema(v.picklist(["x"])) },
    takes: [{ b: "x" }, { a: "1", b: "x" }],
    refuses: [[{ b: "y" }, "b"]],
  },
  {
    name: "arktype",
    form: type({ a: "string", "b?": "number > 3" }),
    takes: [{ a: "" }, { a: "", b: 4 }],
    refuses: [
      [{ a: "", b: 1 }, "b"],
      [{}, "a"],
    ],
  },
];
