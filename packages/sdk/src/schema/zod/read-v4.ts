import { enumValues, literals, patternOf, ZOD_FORMATS, type ZodNode, type ZodReader } from "./node.ts";

type Json = { [key: string]: unknown };

interface Internals {
  readonly def: { readonly type?: unknown; readonly [field: string]: unknown };
  /** What all checks of the schema come to. */
  readonly bag?: { readonly [fact: string]: unknown };
  readonly optin?: unknown;
  readonly pattern?: unknown;
}

const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ["optional", "innerType"],
  ["nullable", "innerType"],
  ["nonoptional", "innerType"],
  ["default", "innerType"],
  ["prefault", "innerType"],
  ["catch", "innerType"],
  ["readonly", "innerType"],
  ["success", "innerType"],
  ["pipe", "in"],
]);

const PLAIN: ReadonlyMap<string, Json> = new Map([
  ["boolean", { type: "boolean" }],
  ["null", { type: "null" }],
  ["any", {}],
  ["unknown", {}],
  ["custom", {}],
  ["transform", {}],
  ["never", { not: {} }],
]);

/** Whether a schema is one of Zod 4 (or of `zod/v4` in 3.25). */
export function isZod4(schema: object): boolean {
  return typeof internalsOf(schema)?.def?.type === "string";
}

/** Zod 4 before it could tell its schemas itself, by its internals: Zod itself is not loaded. */
export const zod4: ZodReader = {
  node: (schema) => readNode(internalsOf(schema) ?? { def: {} }),
  isOptional: (schema) => internalsOf(schema)?.optin === "optional",
  description(schema) {
    const text: unknown = (schema as { readonly description?: unknown }).description;
    return typeof text === "string" ? text : undefined;
  },
};

function internalsOf(schema: object): Internals | undefined {
  return (schema as { readonly _zod?: Internals })._zod;
}

function readNode({ def, bag = {}, pattern }: Internals): ZodNode {
  const name = String(def.type);
  const plain = PLAIN.get(name);
  if (plain !== undefined) return { kind: "json", json: plain };
  const field = WRAPPERS.get(name);
  if (field !== undefined) return readWrapper(name, def, def[field] as object);
  switch (name) {
    case "string":
      return { kind: "json", json: readString(bag) };
    case "number":
      return { kind: "json", json: readNumber(bag) };
    case "template_literal":
      return { kind: "json", json: { type: "string", ...patternOf(pattern) } };
    case "literal":
      return literals([...(def.values as Iterable<unknown>)]);
    case "enum":
      return enumValues(def.entries as Json);
    case "array":
      return { kind: "array", element: def.element as object, json: readBounds(bag, "minItems", "maxItems") };
    case "object":
      return {
        kind: "object",
        shape: def.shape as { readonly [key: string]: object },
        rest: restOf(def.catchall as object | undefined),
      };
    case "union":
      return { kind: "union", options: def.options as readonly object[] };
    case "intersection":
      return { kind: "both", parts: [def.left as object, def.right as object] };
    case "tuple":
      return {
        kind: "tuple",
        items: def.items as readonly object[],
        rest: (def.rest as object) ?? undefined,
      };
    case "record":
      return { kind: "record", key: def.keyType as object, value: def.valueType as object };
    case "lazy":
      return { kind: "inner", inner: (def.getter as () => object)() };
    default:
      return { kind: "none", what: `z.${name}` };
  }
}

function readWrapper(name: string, def: Internals["def"], inner: object): ZodNode {
  if (name === "nullable") return { kind: "inner", inner, nullable: true };
  if (name !== "default" && name !== "prefault") return { kind: "inner", inner };
  return { kind: "inner", inner, json: { default: def.defaultValue } };
}

function restOf(catchall: object | undefined): object | false | undefined {
  const type = catchall === undefined ? undefined : internalsOf(catchall)?.def.type;
  return type === "never" ? false : catchall;
}

function readString(bag: NonNullable<Internals["bag"]>): Json {
  const format = ZOD_FORMATS.get(String(bag.format));
  const patterns = bag.patterns instanceof Set ? [...bag.patterns] : [];
  // A format brings a pattern of its own, which says no more than its name.
  const own = format === undefined && patterns.length === 1 ? patternOf(patterns[0]) : {};
  return {
    type: "string",
    ...readBounds(bag, "minLength", "maxLength"),
    ...(format === undefined ? own : { format }),
  };
}

function readNumber(bag: NonNullable<Internals["bag"]>): Json {
  const { format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bag;
  const facts = { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf };
  const given = Object.entries(facts).filter(
    ([, value]) => typeof value === "number" && Number.isFinite(value),
  );
  return { type: String(format).includes("int") ? "integer" : "number", ...Object.fromEntries(given) };
}

function readBounds(bag: NonNullable<Internals["bag"]>, least: string, most: string): Json {
  return {
    ...(typeof bag.minimum === "number" ? { [least]: bag.minimum } : {}),
    ...(typeof bag.maximum === "number" ? { [most]: bag.maximum } : {}),
  };
}
