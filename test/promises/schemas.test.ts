import { describe as described, type JsonObject, tool } from "@castellan/sdk";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { once, resultBlock, run } from "../kit/session.ts";

/** A tool over a schema, and what its handler got. */
function over(inputSchema: unknown) {
  const got: unknown[] = [];
  const probe = tool({
    name: "probe",
    version: "1.0.0",
    description: "Takes what its schema takes.",
    inputSchema: inputSchema as { readonly [key: string]: unknown },
    riskLevel: "low",
    execute: (args) => {
      got.push(args);
      return { success: true, output: "ran" };
    },
  });
  return { probe, got };
}

async function call(inputSchema: unknown, input: JsonObject) {
  const { probe, got } = over(inputSchema);
  const { texts, users, model } = await run(once("probe", input), { tools: [probe] });
  const seen = model.requests[0]?.tools.find((each) => each.name === "probe")?.inputSchema;
  return { got, text: texts[0] ?? "", isError: resultBlock(users[0]).is_error === true, seen };
}

async function takes(schema: unknown, input: JsonObject, args: JsonObject = input): Promise<void> {
  const { got, text } = await call(schema, input);
  expect([text, got]).toEqual(["ran", [args]]);
}

async function refuses(schema: unknown, input: JsonObject, ...words: string[]): Promise<void> {
  const { got, text, isError } = await call(schema, input);
  expect([got, isError]).toEqual([[], true]);
  for (const word of words) expect(text).toContain(word);
}

describe("what the input may look like", () => {
  it("Q06 form 1: a map of names to simple types, all required; descriptions can be added", async () => {
    const map = {
      s: described("string", "A text."),
      i: "integer",
      n: "number",
      b: "boolean",
      l: ["string"],
      o: "object",
    };
    const whole = { s: "a", i: 1, n: 0.5, b: false, l: ["x"], o: { k: 1 } };
    await takes(map, whole);
    const { seen } = await call(map, whole);
    expect(seen).toMatchObject({
      type: "object",
      properties: {
        s: { type: "string", description: "A text." },
        l: { type: "array", items: { type: "string" } },
      },
      required: ["s", "i", "n", "b", "l", "o"],
    });
    for (const key of Object.keys(whole)) {
      const { [key as "s"]: _, ...rest } = whole;
      await refuses(map, rest as JsonObject, key);
    }
    await refuses(map, { ...whole, i: 1.5 }, "- i:", "expected integer", "got number 1.5");
  });

  it("Q07 form 2: a typed object with optional fields", async () => {
    const shape = { a: z.string(), b: z.number().optional(), c: z.enum(["x", "y"]).default("y") };
    await takes(shape, { a: "1" }, { a: "1", c: "y" });
    await takes(shape, { a: "1", b: 2, c: "x" });
    await refuses(shape, { b: 2 }, "- a:");
    await refuses(shape, { a: "1", c: "z" }, "- c:", 'one of "x", "y"', 'got string "z"');
    await takes({ a: "string", b: "integer?" }, { a: "1" });
  });

  it("Q08 form 3: JSON Schema with enum, ranges, pattern, format, nesting, required, $ref and a root anyOf", async () => {
    const schema = {
      type: "object",
      properties: {
        unit: { enum: ["c", "f"] },
        percent: { type: "integer", minimum: 0, maximum: 100 },
        code: { type: "string", pattern: "^[A-Z]{3}$" },
        day: { type: "string", format: "date" },
        place: { $ref: "#/$defs/place" },
      },
      required: ["unit"],
      additionalProperties: false,
      $defs: { place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
    };
    await takes(schema, { unit: "c", percent: 100, code: "ABC", day: "2026-02-28", place: { city: "Ulm" } });
    await refuses(schema, { percent: 1 }, "unit");
    await refuses(schema, { unit: "k" }, "- unit:", 'got string "k"');
    await refuses(schema, { unit: "c", percent: 101 }, "- percent:", "got number 101");
    await refuses(schema, { unit: "c", code: "AB" }, "- code:");
    await refuses(schema, { unit: "c", day: "2026-02-30" }, "- day:");
    await refuses(schema, { unit: "c", place: {} }, "place.city");
    await refuses(schema, { unit: "c", percnt: 1 }, "did you mean percent?");
    const either = {
      anyOf: [
        { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
        { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      ],
    };
    await takes(either, { input: { id: 1 } }, { id: 1 });
    await takes(either, { name: "x" });
    await refuses(either, { input: { other: 1 } });
  });

  it("Q09 all forms end as the same JSON Schema and are validated before the handler", async () => {
    const forms = {
      map: { q: "string", n: "integer?" },
      zod: { q: z.string(), n: z.int().optional() },
      "zod object": z.object({ q: z.string(), n: z.int().optional() }),
      "zod 3": { q: z3.string(), n: z3.number().int().optional() },
      "zod 3 object": z3.object({ q: z3.string(), n: z3.number().int().optional() }),
      valibot: toStandardJsonSchema(
        v.object({ q: v.string(), n: v.optional(v.pipe(v.number(), v.integer())) }),
      ),
      arktype: type({ q: "string", "n?": "number.integer" }),
      json: {
        type: "object",
        properties: { q: { type: "string" }, n: { type: "integer" } },
        required: ["q"],
      },
    };
    for (const [name, form] of Object.entries(forms)) {
      const { seen, got } = await call(form, { q: "a", n: 3 });
      expect(got, name).toEqual([{ q: "a", n: 3 }]);
      expect(seen, name).toMatchObject({
        type: "object",
        properties: { q: { type: "string" }, n: { type: "integer" } },
        required: ["q"],
      });
      await refuses(form, { q: 5 }, "q", "got number 5");
      await refuses(form, { q: "a", n: 1.5 }, "n", "got number 1.5");
      await refuses(form, {}, "q");
    }
  });

  it("C158: z.object where a raw shape is expected is unwrapped; unions at the root are wrapped, effects run, rubbish is named", async () => {
    await takes(z.object({ q: z.string() }), { q: "x" });
    await takes(z3.object({ q: z3.string() }), { q: "x" });
    await takes(
      z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b),
      { a: 1, b: 2 },
    );
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]);
    await takes(union, { input: { b: 1 } }, { b: 1 });
    for (const form of [z.string(), z.array(z.string()), { q: z.date() }, { q: z3.map(z3.any(), z3.any()) }])
      expect(() => over(form)).toThrow(/Tool "probe"/);
  });

  it("C159: description, default, enum, optional, nullable, record and union survive; defaults reach the handler", async () => {
    for (const lib of [z, z3 as unknown as typeof z]) {
      const shape = {
        a: lib.string().describe("x").default("d"),
        b: lib.enum(["p", "q"]).optional(),
        c: lib.record(lib.string(), lib.number()),
        d: lib.string().nullable(),
        e: lib.discriminatedUnion("t", [
          lib.object({ t: lib.literal("one"), n: lib.number() }),
          lib.object({ t: lib.literal("two") }),
        ]),
      };
      const input = { c: { k: 1 }, d: null, e: { t: "two" } };
      const { seen, got } = await call(shape, input);
      expect(got).toEqual([{ a: "d", ...input }]);
      expect(seen).toMatchObject({
        properties: {
          a: { type: "string", description: "x", default: "d" },
          b: { enum: ["p", "q"] },
          c: { type: "object", additionalProperties: { type: "number" } },
        },
        required: ["c", "d", "e"],
      });
      await refuses(shape, { ...input, c: { k: "x" } }, "c.k");
      await refuses(shape, { ...input, b: "r" }, "- b:");
      await refuses(shape, { ...input, e: { t: "one" } }, "e.n");
    }
  });

  it("C283: lists, objects, numbers and booleans that came as text are read where the schema wants them; rules, hooks and canUseTool see them so", async () => {
    const schema = { tags: ["string"], n: "number", flag: "boolean", s: "string", o: { k: "integer" } };
    const sent = { tags: '["a"]', n: "5", flag: "false", s: "00713", o: '{"k":"1"}' };
    const read = { tags: ["a"], n: 5, flag: false, s: "00713", o: { k: 1 } };
    const seen: unknown[] = [];
    const got: unknown[] = [];
    const probe = tool(
      "probe",
      "Takes texts.",
      schema,
      (args) => {
        got.push(args);
        return { content: [] };
      },
      {
        targets: ({ n, tags }) => {
          seen.push(["targets", n, tags]);
          return [{ kind: "name", value: `n${n}` }];
        },
      },
    );
    const options = {
      tools: [probe],
      hooks: {
        PreToolUse: [
          {
            hooks: [
              (hook: unknown) => {
                seen.push((hook as { tool_input: unknown }).tool_input);
                return {};
              },
            ],
          },
        ],
      },
      canUseTool: (_name: string, input: JsonObject) => {
        seen.push(input);
        return { behavior: "allow" } as const;
      },
    };
    await run(once("probe", sent), options);
    expect(got).toEqual([read]);
    expect(seen.filter((each) => !Array.isArray(each))).toEqual([read, read]);
    expect(seen).toContainEqual(["targets", 5, ["a"]]);

    const denied = await run(once("probe", sent), { ...options, disallowedTools: ["probe(n5)"] });
    expect(denied.texts[0]).toContain("probe(n5)");
    expect(got).toHaveLength(1);

    for (const [key, value] of [
      ["tags", "a"],
      ["n", "five"],
      ["flag", "yes"],
      ["o", '{"k":"x"}'],
    ] as const) {
      const bad = await run(once("probe", { ...sent, [key]: value }), options);
      expect(resultBlock(bad.users[0]).is_error, key).toBe(true);
      expect(bad.texts[0]).toMatch(new RegExp(`- ${key}`));
    }
    expect(got).toHaveLength(1);
  });
});
