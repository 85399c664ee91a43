import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../protocol/index.ts";
import { compileSchema } from "../compile-schema.ts";
import { checkJsonSchema } from "./check.ts";
import { anyDocument, anyToolSchema, anyValue } from "./random-schema.cases.ts";
import { compileValidator } from "./validator.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
// Ajv writes a program for each schema, which takes its time.
const enough = 20_000 + runs * 500;

/** Ajv writes a program that uses a variable it never made or filled, for some odd schemas. That is no second opinion. */
function opinion(theirs: ValidateFunction, value: unknown): boolean | undefined {
  try {
    return theirs(value);
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    if (error instanceof TypeError && /^Cannot (?:set|read) properties of undefined/.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

const ajv = (schema: JsonSchema): ValidateFunction =>
  new Ajv2020({ strict: false, validateFormats: false, ownProperties: true }).compile(schema);

describe("our validator and Ajv", () => {
  it("part where Ajv's program is broken: ours takes what the first branch takes", () => {
    const branch = { enum: [null], not: true, anyOf: [{ patternProperties: { "^n_": false } }] };
    const document = { anyOf: [true, branch] };
    expect(() => ajv(document)(null)).toThrow(ReferenceError);
    expect(compileValidator(document)(null)).toEqual([]);
  });

  it("part where Ajv's program fills what is not there: ours asks nothing of the branch that is not taken", () => {
    const document = {
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { additionalProperties: { type: ["array"] }, type: ["array"] },
      patternProperties: { "^n_": { minLength: 1 } },
      if: { type: ["array"] },
    };
    expect(() => ajv(document)({ n_1: null })).toThrow(TypeError);
    expect(compileValidator(document)({ n_1: null })).toEqual([]);
    expect(compileValidator(document)({ n_1: "" })).not.toEqual([]);
  });

  it("part where Ajv's program has nothing to note in: ours refuses what a pattern of the branch refuses", () => {
    const inner = [true, { additionalProperties: { type: "array" }, type: ["array"] }];
    const document = { anyOf: [{ patternProperties: { "a|b": { type: "array" } }, anyOf: inner }] };
    expect(() => ajv(document)({ a: null })).toThrow(TypeError);
    expect(compileValidator(document)({ a: null })).not.toEqual([]);
    expect(compileValidator(document)({ a: [], c: null })).toEqual([]);
  });

  it(
    "agree on every schema and value",
    () => {
      let valid = 0;
      let total = 0;
      let silent = 0;
      fc.assert(
        fc.property(anyDocument, fc.array(anyValue, { minLength: 6, maxLength: 10 }), (document, values) => {
          expect(checkJsonSchema(document)).toBeUndefined();
          const ours = compileValidator(document);
          const theirs = ajv(document);
          for (const value of values) {
            const issues = ours(value);
            total++;
            if (issues.length === 0) valid++;
            const said = opinion(theirs, value);
            if (said === undefined) silent++;
            else expect(issues.length === 0, JSON.stringify({ document, value, issues })).toBe(said);
          }
        }),
        { numRuns: Math.ceil(runs / 4) },
      );
      // Neither of the two answers is the only one that was compared.
      expect(valid / total).toBeGreaterThan(0.02);
      expect(valid / total).toBeLessThan(0.98);
      expect(silent / total).toBeLessThan(0.02);
    },
    enough,
  );
});

describe("what the model sees", () => {
  it(
    "is what is enforced: the schema takes an input exactly when it is parsed",
    () => {
      let taken = 0;
      let total = 0;
      let silent = 0;
      fc.assert(
        fc.property(anyToolSchema, fc.array(anyValue, { minLength: 6, maxLength: 10 }), (form, values) => {
          const { jsonSchema, parse } = compileSchema(form, { tool: "t" });
          const seen = ajv(jsonSchema);
          const wrapped = ["anyOf", "oneOf", "allOf"].some((keyword) => keyword in form);
          const asModel = (value: unknown): unknown => (wrapped ? { input: value } : value);
          for (const value of values) {
            const parsed = parse(asModel(value));
            if (parsed instanceof Promise) throw new Error("it need not wait");
            total++;
            if (parsed.ok) taken++;
            const said = opinion(seen, asModel(value));
            // A text may have been read as JSON, so what counts is what the handler gets.
            const saidOfInput = parsed.ok ? opinion(seen, asModel(parsed.input)) : undefined;
            if (said === undefined) silent++;
            else if (said) expect(parsed).toEqual({ ok: true, input: value });
            else if (saidOfInput !== undefined) expect(saidOfInput).toBe(true);
          }
        }),
        { numRuns: Math.ceil(runs / 4) },
      );
      expect(taken).toBeGreaterThan(0);
      expect(silent / total).toBeLessThan(0.02);
    },
    enough,
  );
});
