import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { zodJsonSchema } from "./zod-json-schema.ts";

type Zod = typeof z;
const both: readonly Zod[] = [z, z3 as unknown as Zod];

/** What both releases can write, each with the words that they share. */
const SHAPES: readonly (readonly [name: string, build: (lib: Zod) => unknown])[] = [
  ["words", (lib) => lib.object({ s: lib.string(), n: lib.number(), b: lib.boolean(), x: lib.null() })],
  ["any and unknown", (lib) => lib.object({ a: lib.any().optional(), u: lib.unknown().optional() })],
  ["bounds", (lib) => lib.object({ s: lib.string().min(2).max(4), n: lib.number().min(1).max(3) })],
  ["open bounds", (lib) => lib.object({ n: lib.number().gt(1).lt(3).multipleOf(0.5) })],
  ["patterns", (lib) => lib.object({ s: lib.string().regex(/^[a-z]+$/) })],
  ["lists", (lib) => lib.object({ l: lib.array(lib.string()).min(1).max(4), e: lib.array(lib.number()) })],
  [
    "optional, default, nullable",
    (lib) =>
      lib.object({ o: lib.string().optional(), d: lib.string().default("x"), n: lib.string().nullable() }),
  ],
  ["enums and literals", (lib) => lib.object({ e: lib.enum(["a", "b"]), l: lib.literal(5) })],
  ["unions", (lib) => lib.object({ u: lib.union([lib.string(), lib.number()]) })],
  ["records", (lib) => lib.object({ r: lib.record(lib.string(), lib.array(lib.boolean())) })],
  [
    "nesting and descriptions",
    (lib) => lib.object({ o: lib.object({ s: lib.string().describe("deep") }).describe("outer") }),
  ],
  ["closed", (lib) => lib.object({ o: lib.object({ s: lib.string() }).strict() })],
  ["catchall", (lib) => lib.object({ o: lib.object({ s: lib.string() }).catchall(lib.number()) })],
  [
    "transform and refine",
    (lib) => lib.object({ t: lib.string().transform(Number), r: lib.number().refine((n) => n > 1) }),
  ],
];

/** As zod 4 tells it itself, without what it adds for readers of other drafts. */
function told(schema: unknown): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema as z.ZodType, { io: "input" }) as Record<
    string,
    unknown
  >;
  return plainly(rest);
}

// A value says its own type; whether it is said again, and how a choice of types is spelt, is a matter of taste.
function plainly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== "object" || value === null) return value;
  if ("type" in value && Array.isArray(value.type)) return { anyOf: value.type.map((type) => ({ type })) };
  const entries = Object.entries(value).filter(
    ([key, inner]) =>
      !(key === "type" && ("const" in value || "enum" in value)) &&
      !(key === "propertyNames" && isText(inner)),
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, plainly(inner)]));
}

const isText = (schema: unknown): boolean => JSON.stringify(schema) === '{"type":"string"}';

describe("zod 3", () => {
  it.each(SHAPES)("%s: the same as zod 4 says of the same words", (_name, build) => {
    const [four, three] = both.map(build);
    expect(plainly(zodJsonSchema(three as object))).toEqual(told(four));
  });

  it("tuples, formats, enums of TypeScript, whole numbers", () => {
    const schema = z3.object({
      t: z3.tuple([z3.string(), z3.number().optional()]).rest(z3.boolean()),
      e: z3.string().email(),
      u: z3.string().url(),
      d: z3.string().datetime(),
      i: z3.number().int(),
      n: z3.nativeEnum({ A: 1, B: 2, 1: "A", 2: "B" } as const),
      p: z3.preprocess(Number, z3.number()),
    });
    expect(zodJsonSchema(schema)).toMatchObject({
      properties: {
        t: {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: { type: "boolean" },
          minItems: 1,
        },
        e: { type: "string", format: "email" },
        u: { type: "string", format: "uri" },
        d: { type: "string", format: "date-time" },
        i: { type: "integer" },
        n: { type: "number", enum: [1, 2] },
        p: {},
      },
    });
  });

  it("leads recursion through a definition", () => {
    interface Tree {
      kids: Tree[];
    }
    const tree: z3.ZodType<Tree> = z3.lazy(() => z3.object({ kids: z3.array(tree) }));
    const json = zodJsonSchema(z3.object({ one: tree, two: tree }));
    expect(json).toEqual({
      type: "object",
      properties: { one: { $ref: "#/$defs/schema1" }, two: { $ref: "#/$defs/schema1" } },
      required: ["one", "two"],
      $defs: {
        schema1: {
          type: "object",
          properties: { kids: { type: "array", items: { $ref: "#/$defs/schema1" } } },
          required: ["kids"],
        },
      },
    });
  });

  it.each([z3.date(), z3.bigint(), z3.map(z3.string(), z3.any()), z3.undefined(), z3.literal(1n)])(
    "says what JSON cannot hold",
    (schema) => expect(() => zodJsonSchema(z3.object({ a: schema }))).toThrow(/JSON/),
  );
});

/** A schema as zod 3.25 (`zod/v4`) to 4.1 have it, which bring no JSON Schema of their own. */
const early = (type: string, def: object = {}, more: object = {}): object => ({
  _zod: { def: { type, ...def }, bag: {}, ...more },
});
const string = early("string");

describe("zod 4 before 4.2", () => {
  it("is read by its internals", () => {
    const optional = early("optional", { innerType: string }, { optin: "optional" });
    const byDefault = early("default", { innerType: string, defaultValue: "d" }, { optin: "optional" });
    const shape = {
      o: optional,
      d: byDefault,
      i: early("number", {}, { bag: { format: "safeint", minimum: 1, maximum: 3 } }),
      m: early("string", {}, { bag: { format: "email", patterns: new Set([/x/]), minimum: 3 } }),
      p: early("string", {}, { bag: { patterns: new Set([/^a+$/]) } }),
      l: early("array", { element: string }, { bag: { minimum: 1, maximum: 4 } }),
      n: early("nullable", { innerType: string }),
      u: early("union", { options: [string, early("null")] }),
      b: early("intersection", { left: string, right: early("any") }),
      e: early("enum", { entries: { P: "p", Q: "q" } }),
      v: early("literal", { values: [1, 2] }),
      r: early("record", { keyType: string, valueType: early("number") }),
      t: early("tuple", { items: [string], rest: null }),
      x: early("pipe", { in: string, out: early("transform") }),
      s: early("object", { shape: {}, catchall: early("never") }),
      z: early("lazy", { getter: () => string }),
    };
    expect(zodJsonSchema(early("object", { shape }))).toEqual({
      type: "object",
      properties: {
        o: { type: "string" },
        d: { type: "string", default: "d" },
        i: { type: "integer", minimum: 1, maximum: 3 },
        m: { type: "string", format: "email", minLength: 3 },
        p: { type: "string", pattern: "^a+$" },
        l: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 4 },
        n: { anyOf: [{ type: "string" }, { type: "null" }] },
        u: { anyOf: [{ type: "string" }, { type: "null" }] },
        b: { allOf: [{ type: "string" }, {}] },
        e: { type: "string", enum: ["p", "q"] },
        v: { enum: [1, 2] },
        r: { type: "object", additionalProperties: { type: "number" } },
        t: { type: "array", prefixItems: [{ type: "string" }], items: false, minItems: 1 },
        x: { type: "string" },
        s: { type: "object", properties: {}, additionalProperties: false },
        z: { type: "string" },
      },
      required: ["i", "m", "p", "l", "n", "u", "b", "e", "v", "r", "t", "x", "s", "z"],
    });
  });

  it("names what JSON cannot hold, and is not confused with other things", () => {
    expect(() => zodJsonSchema(early("date"))).toThrow("z.date is nothing that JSON can hold");
    for (const other of [{}, { _zod: 1 }, { _def: null }, { _def: {} }])
      expect(zodJsonSchema(other)).toBeUndefined();
  });
});
