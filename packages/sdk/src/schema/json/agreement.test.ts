import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkJsonSchema } from "./check.ts";
import { compileValidator } from "./validator.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
type Json = { [key: string]: unknown };

const key = fc.constantFrom("a", "b", "c", "n_1", "__proto__", "constructor");
const scalar = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  1.5,
  3,
  "",
  "a",
  "ab",
  "abc",
  "n_",
  "👍",
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 4 }),
  object: fc
    .array(fc.tuple(key, tie("any")), { maxLength: 4 })
    .map((pairs) =>
      JSON.parse(`{${pairs.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(",")}}`),
    ),
})).any;

const types = ["array", "boolean", "integer", "null", "number", "object", "string"] as const;
const small = fc.integer({ min: 0, max: 3 });

const schemas = new Map<number, fc.Arbitrary<unknown>>();

// A schema of at most `depth` levels: one to four keywords, so that more than the first one counts.
function schemaOf(depth: number): fc.Arbitrary<unknown> {
  const known = schemas.get(depth);
  if (known !== undefined) return known;
  const inner =
    depth === 0
      ? fc.boolean()
      : fc.oneof({ weight: 1, arbitrary: fc.boolean() }, { weight: 4, arbitrary: schemaOf(depth - 1) });
  const keywords = keywordsOver(inner);
  const node = fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, keywords[name] ?? fc.boolean()]))),
    );
  schemas.set(depth, node);
  return node;
}

// Without contains and the unevaluated keywords, on which Ajv is no judge: { prefixItems: [{}], contains: {} } lets
// [] through there, and nested anyOf counts items as judged by branches that failed. They have tables of their own.
function keywordsOver(inner: fc.Arbitrary<unknown>): { [keyword: string]: fc.Arbitrary<unknown> } {
  const map = fc.dictionary(fc.constantFrom("a", "b", "c", "constructor"), inner, { maxKeys: 3 });
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  return {
    type: fc.oneof(
      fc.constantFrom(...types),
      fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
    ),
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
    const: value,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom("^a", "b$", "^[a-c]{2}$", "\\w_", "^.$", "^\\P{L}*$", "[^\\s]"),
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    prefixItems: list,
    items: inner,
    minProperties: small,
    maxProperties: small,
    required: fc.uniqueArray(key, { maxLength: 2 }),
    dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), fc.uniqueArray(key, { maxLength: 2 }), {
      maxKeys: 1,
    }),
    dependentSchemas: map,
    properties: map,
    patternProperties: fc.dictionary(fc.constantFrom("^n_", "a|b"), inner, { maxKeys: 1 }),
    additionalProperties: inner,
    propertyNames: inner,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    if: inner,
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword
    then: inner,
    else: inner,
    $ref: fc.constantFrom("#/$defs/p", "#/$defs/q"),
  };
}

const schema = schemaOf(3);

const root = fc.record({ node: schema, p: schema, q: schema }).map(({ node, p, q }) => ({
  ...(node as Json),
  $defs: { p, q: { ...(q as Json), $ref: undefined }, r: {} },
}));

// Without its undefined keys, and without a $ref of p to itself.
const clean = (given: unknown): Json => {
  const copy = JSON.parse(JSON.stringify(given)) as { $defs: { p: unknown } };
  copy.$defs.p = JSON.parse(
    JSON.stringify(copy.$defs.p).replaceAll("#/$defs/p", "#/$defs/r").replaceAll("#/$defs/q", "#/$defs/r"),
  );
  const q = copy.$defs as { q?: unknown };
  q.q = JSON.parse(JSON.stringify(q.q).replaceAll("#/$defs/q", "#/$defs/p"));
  return copy as unknown as Json;
};

describe("our validator and Ajv", () => {
  it("agree on every schema and value", () => {
    let valid = 0;
    let total = 0;
    fc.assert(
      fc.property(root, fc.array(value, { minLength: 4, maxLength: 8 }), (given, values) => {
        const document = clean(given);
        expect(checkJsonSchema(document)).toBeUndefined();
        const ours = compileValidator(document);
        const theirs = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true }).compile(
          document,
        );
        for (const one of values) {
          const issues = ours(one);
          total++;
          if (issues.length === 0) valid++;
          expect(issues.length === 0, JSON.stringify({ document, one, issues })).toBe(theirs(one));
        }
      }),
      { numRuns: runs },
    );
    // Neither of the two answers is the only one that was compared.
    expect(valid / total).toBeGreaterThan(0.05);
    expect(valid / total).toBeLessThan(0.95);
  });
});
