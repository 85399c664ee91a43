import { expect, describe as group, it } from "vitest";
import { z } from "zod";
import { compileSchema } from "./compile-schema.ts";

const json = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const list = { type: "array", items: { type: "string" } };

/** A schema, what came as text, and what it is read as; undefined: it is refused. */
const CASES: readonly (readonly [name: string, form: object, given: unknown, read: unknown])[] = [
  ["a list as text", json({ tags: list }), { tags: '["a"]' }, { tags: ["a"] }],
  [
    "an object as text, and inside it",
    json({ o: json({ l: list }) }),
    { o: '{"l":"[\\"a\\"]"}' },
    { o: { l: ["a"] } },
  ],
  ["the whole input as text", json({ a: { type: "string" } }), '{"a":"x"}', { a: "x" }],
  ["white space before it", json({ tags: list }), { tags: ' \n["a"]' }, { tags: ["a"] }],
  [
    "a text that stays a text",
    json({ s: { type: "string" }, n: { type: "integer" } }),
    { s: "00713", n: "5" },
    { s: "00713", n: 5 },
  ],
  [
    "a text that looks like a list stays",
    json({ s: { type: "string" }, n: { type: "integer" } }),
    { s: "[1]", n: "5" },
    { s: "[1]", n: 5 },
  ],
  ["true and false", json({ f: { type: "boolean" } }), { f: "false" }, { f: false }],
  ["not yes", json({ f: { type: "boolean" } }), { f: "yes" }, undefined],
  ["a fraction", json({ n: { type: "number" } }), { n: "-1.5e2" }, { n: -150 }],
  ["not a fraction for a whole number", json({ n: { type: "integer" } }), { n: "1.5" }, undefined],
  ["not leading zeros", json({ n: { type: "integer" } }), { n: "007" }, undefined],
  ["not hex", json({ n: { type: "integer" } }), { n: "0x10" }, undefined],
  ["not blanks", json({ n: { type: "integer" } }), { n: " " }, undefined],
  [
    "not more digits than a number holds",
    json({ n: { type: "integer" } }),
    { n: "12345678901234567890" },
    undefined,
  ],
  [
    "sixteen digits that are exact",
    json({ n: { type: "integer" } }),
    { n: "9007199254740991" },
    { n: 9007199254740991 },
  ],
  ["not out of range", json({ n: { type: "integer", maximum: 3 } }), { n: "4" }, undefined],
  ["broken JSON", json({ tags: list }), { tags: '["a"' }, undefined],
  ["a list where an object is wanted", json({ o: { type: "object" } }), { o: "[1]" }, undefined],
  [
    "wrong items inside",
    json({ tags: { type: "array", items: { type: "integer" } } }),
    { tags: '["x"]' },
    undefined,
  ],
  [
    "text or list: valid as it came",
    json({ x: { anyOf: [{ type: "string" }, list] } }),
    { x: '["a"]' },
    { x: '["a"]' },
  ],
  [
    "text or list in a type list, beside a fault",
    json({ x: { type: ["string", "array"] }, n: { type: "integer" } }),
    { x: "[1]", n: "1" },
    { x: "[1]", n: 1 },
  ],
  ["list or null", json({ x: { anyOf: [list, { type: "null" }] } }), { x: '["a"]' }, { x: ["a"] }],
  [
    "through a $ref",
    json({ x: { $ref: "#/$defs/l" } }, { $defs: { l: list } }),
    { x: '["a"]' },
    { x: ["a"] },
  ],
  [
    "in every item",
    json({ l: { type: "array", items: { type: "integer" } } }),
    { l: ["1", 2] },
    { l: [1, 2] },
  ],
  [
    "under unknown keys with a schema",
    json({}, { additionalProperties: { type: "integer" } }),
    { a: "1" },
    { a: 1 },
  ],
  [
    "a key called __proto__",
    json({}, { additionalProperties: { type: "integer" } }),
    JSON.parse('{"__proto__":"1"}'),
    JSON.parse('{"__proto__":1}'),
  ],
  ["numbers of an enum", json({ e: { enum: [1, 2] } }), { e: "2" }, { e: 2 }],
  [
    "nothing where no type is named",
    json({ any: {}, n: { type: "integer" } }),
    { any: "[1]", n: "1" },
    { any: "[1]", n: 1 },
  ],
  [
    "a Zod shape",
    { tags: z.array(z.string()), n: z.number(), s: z.string() },
    { tags: '["a"]', n: "5", s: "00713" },
    { tags: ["a"], n: 5, s: "00713" },
  ],
  [
    "a Zod union at the root",
    z.union([z.object({ l: z.array(z.int()) }), z.object({ b: z.boolean() })]),
    { input: '{"l":"[1]"}' },
    { l: [1] },
  ],
  ["a shorthand map", { l: ["integer"], b: "boolean" }, { l: "[1]", b: "true" }, { l: [1], b: true }],
];

group("texts where something else is wanted", () => {
  it.each(CASES)("%s", async (_name, form, given, read) => {
    const before = JSON.stringify(given);
    const result = await compileSchema(form, { tool: "t" }).parse(given);
    expect(result.ok ? result.input : undefined).toEqual(read);
    expect(JSON.stringify(given)).toBe(before);
  });

  it("leaves a text whose JSON is nested too deeply to be written again", async () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const { parse } = compileSchema(json({ o: { type: "object" } }), { tool: "t" });
    expect(await parse({ o: nested(50_000) })).toMatchObject({ ok: false });
    expect(await parse({ o: nested(400) })).toMatchObject({ ok: true });
  });

  it("gives back the very object that came when nothing had to be read", () => {
    const given = { tags: ["a"] };
    const result = compileSchema(json({ tags: list }), { tool: "t" }).parse(given);
    expect(result instanceof Promise || !result.ok ? undefined : result.input).toBe(given);
  });
});
