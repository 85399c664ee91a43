import { expect, describe as group, it } from "vitest";
import type { ParsedInput } from "../protocol/index.ts";
import { compileSchema } from "./compile-schema.ts";
import { FORM_CASES } from "./forms.cases.ts";
import { JSON_FORM_CASES } from "./forms-json.cases.ts";
import { ZOD3_CASES } from "./forms-zod3.cases.ts";

const tool = "t";
const ALL = [...FORM_CASES, ...ZOD3_CASES, ...JSON_FORM_CASES];

async function parse(form: unknown, value: unknown): Promise<ParsedInput> {
  return compileSchema(form, { tool }).parse(value);
}

group("what each form takes and refuses", () => {
  it("has a table of at least 40 schemas", () => {
    expect(ALL.length).toBeGreaterThanOrEqual(40);
  });

  it.each(ALL)("$name", async ({ form, takes = [], becomes = [], refuses }) => {
    for (const value of takes) expect(await parse(form, value)).toEqual({ ok: true, input: value });
    for (const [given, parsed] of becomes)
      expect(await parse(form, given)).toEqual({ ok: true, input: parsed });
    for (const [given, path] of refuses) {
      const result = await parse(form, given);
      expect(result.ok ? result.input : undefined, JSON.stringify(given)).toBeUndefined();
      if (!result.ok) expect(result.issues.map((issue) => issue.path)).toContain(path);
    }
  });

  it.each(ALL)("$name: the root is an object that providers accept", ({ form }) => {
    const { jsonSchema } = compileSchema(form, { tool });
    expect(jsonSchema.type).toBe("object");
    for (const keyword of ["$schema", "$ref", "oneOf", "anyOf", "allOf"])
      expect(jsonSchema).not.toHaveProperty(keyword);
    expect(JSON.parse(JSON.stringify(jsonSchema))).toEqual(jsonSchema);
  });
});

group("the schema that the model sees", () => {
  const z = FORM_CASES.find((one) => one.name === "zod: raw shape");

  it("is the same for a map and for the JSON Schema that it abbreviates", () => {
    const map = compileSchema({ q: "string", n: "integer?", l: ["number"], o: { b: "boolean" } }, { tool });
    const full = {
      type: "object",
      properties: {
        q: { type: "string" },
        n: { type: "integer" },
        l: { type: "array", items: { type: "number" } },
        o: { type: "object", properties: { b: { type: "boolean" } }, required: ["b"] },
      },
      required: ["q", "l", "o"],
    };
    expect(map.jsonSchema).toEqual(full);
    expect(compileSchema(full, { tool }).jsonSchema).toEqual(full);
  });

  it("keeps descriptions, defaults and requiredness of a Zod shape", () => {
    expect(compileSchema(z?.form, { tool }).jsonSchema).toEqual({
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: "number" },
        c: { type: "string", enum: ["x", "y"], default: "x" },
      },
      required: ["a"],
    });
  });

  it("moves definitions to the root when it wraps", () => {
    const form = JSON_FORM_CASES.find((one) => one.name === "json: anyOf at the root")?.form;
    expect(compileSchema(form, { tool }).jsonSchema).toEqual({
      type: "object",
      properties: {
        input: {
          type: "object",
          anyOf: [{ type: "object", properties: { a: {} }, required: ["a"] }, { $ref: "#/$defs/b" }],
        },
      },
      required: ["input"],
      additionalProperties: false,
      $defs: {
        b: { type: "object", properties: { b: { $ref: "#/properties/input/anyOf/0" } }, required: ["b"] },
      },
    });
  });

  it("is compiled once for a form, and a later change of the form changes nothing", () => {
    const form = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const first = compileSchema(form, { tool });
    form.required = [];
    expect(compileSchema(form, { tool: "other" })).toBe(first);
    expect(first.parse({})).toMatchObject({ ok: false });
  });

  it("takes frozen schemas and leaves them untouched", () => {
    const form = Object.freeze({
      type: "object",
      properties: Object.freeze({ a: Object.freeze({ type: "string" }) }),
    });
    expect(compileSchema(form, { tool }).parse({ a: 1 })).toMatchObject({ ok: false });
    expect(Reflect.ownKeys(form)).toEqual(["type", "properties"]);
  });
});

group("issues", () => {
  it("say where, what was expected, and what came", () => {
    const { parse } = compileSchema({ items: [{ name: "string" }] }, { tool });
    expect(parse({ items: [{ name: 5 }] })).toEqual({
      ok: false,
      issues: [{ path: "items.0.name", message: "must be a string", expected: "string", got: "number 5" }],
    });
  });

  it("name the nearest key for an unknown one", () => {
    const { parse } = compileSchema(
      { type: "object", properties: { file_path: {} }, additionalProperties: false },
      { tool },
    );
    expect(parse({ filepath: "x" })).toMatchObject({
      issues: [{ path: "filepath", message: "is an unknown key; did you mean file_path?" }],
    });
  });

  it("turn a check that throws into a refusal", async () => {
    const form = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: (): never => {
          throw new Error("broken check");
        },
        jsonSchema: { input: () => ({ type: "object", properties: {} }) },
      },
    };
    expect(await parse(form, {})).toMatchObject({ ok: false, issues: [{ path: "" }] });
  });

  it("come for a value that is nested without end", () => {
    const form = { type: "object", properties: { a: { $ref: "#" } } };
    let value: object = {};
    for (let depth = 0; depth < 50_000; depth++) value = { a: value };
    expect(compileSchema(form, { tool }).parse(value)).toMatchObject({ ok: false });
  });
});
