import fc from "fast-check";

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
/** Any JSON value, of names and texts that the schemas below know. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
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
    const: anyValue,
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

const schema: fc.Arbitrary<unknown> = schemaOf(3);

// The text of a schema in which every $ref leads to `target`: p refers to r, q to p, the root to all, so none goes round.
const refer = (node: unknown, target: string): unknown =>
  JSON.parse(JSON.stringify(node).replaceAll(/#\/\$defs\/[pq]/g, `#/$defs/${target}`));

/** Definitions for the references of a schema below. Every reference leads somewhere, and none round in a circle. */
const definitions = fc
  .record({ p: schema, q: schema })
  .map(({ p, q }) => ({ p: refer(p, "r"), q: refer(q, "p"), r: {} }));

/** Any well-formed schema with definitions. */
export const anyDocument: fc.Arbitrary<Json> = fc
  .tuple(schema, definitions)
  .map(([node, $defs]) => ({ ...(node as Json), $defs }));

/** A schema as the author of a tool might give it: its root may be an object, or a choice of forms. */
export const anyToolSchema: fc.Arbitrary<Json> = fc
  .tuple(
    fc.dictionary(fc.constantFrom("a", "b", "c"), schema, { maxKeys: 3 }),
    fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }),
    fc.constantFrom(undefined, false, true),
    fc.option(
      fc.tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), fc.array(schema, { minLength: 1, maxLength: 3 })),
      {
        nil: undefined,
      },
    ),
    definitions,
  )
  .map(([properties, required, additionalProperties, choice, $defs]) => ({
    type: "object",
    properties,
    required,
    $defs,
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
    ...(choice === undefined ? {} : { [choice[0]]: choice[1] }),
  }));
