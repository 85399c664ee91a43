import { enumValues, literals, patternOf, ZOD_FORMATS, type ZodNode, type ZodReader } from "./node.ts";

type Json = { [key: string]: unknown };
type Def = { readonly typeName?: unknown; readonly [field: string]: unknown };
type Check = {
  readonly kind: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly regex?: unknown;
};

const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ["ZodOptional", "innerType"],
  ["ZodNullable", "innerType"],
  ["ZodDefault", "innerType"],
  ["ZodCatch", "innerType"],
  ["ZodReadonly", "innerType"],
  ["ZodBranded", "type"],
  ["ZodEffects", "schema"],
  ["ZodPipeline", "in"],
]);

const PLAIN: ReadonlyMap<string, Json> = new Map([
  ["ZodBoolean", { type: "boolean" }],
  ["ZodNull", { type: "null" }],
  ["ZodAny", {}],
  ["ZodUnknown", {}],
  ["ZodNever", { not: {} }],
]);

/** Whether a schema is one of Zod 3. */
export function isZod3(schema: object): boolean {
  return typeof defOf(schema)?.typeName === "string";
}

/** Zod 3, by its definitions: Zod itself is not loaded. */
export const zod3: ZodReader = {
  node: (schema) => readNode(defOf(schema) ?? {}),
  isOptional(schema) {
    const { typeName, ...def } = defOf(schema) ?? {};
    if (["ZodOptional", "ZodDefault", "ZodCatch"].includes(String(typeName))) return true;
    const field = WRAPPERS.get(String(typeName));
    return field !== undefined && zod3.isOptional(def[field] as object);
  },
  description: (schema) => {
    const text = defOf(schema)?.description;
    return typeof text === "string" ? text : undefined;
  },
};

function defOf(schema: object): Def | undefined {
  const def: unknown = (schema as { readonly _def?: unknown })._def;
  return typeof def === "object" && def !== null ? (def as Def) : undefined;
}

function readNode(def: Def): ZodNode {
  const name = String(def.typeName);
  const plain = PLAIN.get(name);
  if (plain !== undefined) return { kind: "json", json: plain };
  const field = WRAPPERS.get(name);
  if (field !== undefined) return readWrapper(name, def, def[field] as object);
  switch (name) {
    case "ZodString":
      return { kind: "json", json: readString(def.checks as readonly Check[]) };
    case "ZodNumber":
      return { kind: "json", json: readNumber(def.checks as readonly Check[]) };
    case "ZodLiteral":
      return literals([def.value]);
    case "ZodEnum":
      return { kind: "json", json: { type: "string", enum: [...(def.values as readonly string[])] } };
    case "ZodNativeEnum":
      return enumValues(def.values as Json);
    case "ZodArray":
      return { kind: "array", element: def.type as object, json: readLengths(def) };
    case "ZodObject":
      return {
        kind: "object",
        shape: (def.shape as () => { readonly [key: string]: object })(),
        rest: def.unknownKeys === "strict" ? false : restOf(def.catchall as object),
      };
    case "ZodUnion":
    case "ZodDiscriminatedUnion":
      return { kind: "union", options: [...(def.options as Iterable<object>)] };
    case "ZodIntersection":
      return { kind: "both", parts: [def.left as object, def.right as object] };
    case "ZodTuple":
      return {
        kind: "tuple",
        items: def.items as readonly object[],
        rest: (def.rest as object) ?? undefined,
      };
    case "ZodRecord":
      return { kind: "record", key: def.keyType as object, value: def.valueType as object };
    case "ZodLazy":
      return { kind: "inner", inner: (def.getter as () => object)() };
    default:
      return { kind: "none", what: name.replace(/^Zod/, "z.").toLowerCase() };
  }
}

function readWrapper(name: string, def: Def, inner: object): ZodNode {
  if (name === "ZodNullable") return { kind: "inner", inner, nullable: true };
  if (name === "ZodDefault") {
    return { kind: "inner", inner, json: { default: (def.defaultValue as () => unknown)() } };
  }
  // What a preprocess step takes is its own affair.
  const effect = def.effect as { readonly type?: unknown } | undefined;
  return name === "ZodEffects" && effect?.type === "preprocess"
    ? { kind: "json", json: {} }
    : { kind: "inner", inner };
}

function restOf(catchall: object): object | undefined {
  const name = defOf(catchall)?.typeName;
  return name === "ZodNever" ? undefined : catchall;
}

function readString(checks: readonly Check[]): Json {
  const json: Json = { type: "string" };
  for (const { kind, value, regex } of checks) {
    if (kind === "min") json.minLength = value;
    else if (kind === "max") json.maxLength = value;
    else if (kind === "length") Object.assign(json, { minLength: value, maxLength: value });
    else if (kind === "regex") Object.assign(json, patternOf(regex));
    else if (ZOD_FORMATS.has(kind)) json.format = ZOD_FORMATS.get(kind);
  }
  return json;
}

function readNumber(checks: readonly Check[]): Json {
  const json: Json = { type: "number" };
  for (const { kind, value, inclusive } of checks) {
    if (kind === "int") json.type = "integer";
    else if (kind === "min") json[inclusive === false ? "exclusiveMinimum" : "minimum"] = value;
    else if (kind === "max") json[inclusive === false ? "exclusiveMaximum" : "maximum"] = value;
    else if (kind === "multipleOf") json.multipleOf = value;
  }
  return json;
}

function readLengths(def: Def): Json {
  const value = (field: unknown): unknown =>
    (field as { readonly value?: unknown } | null | undefined)?.value;
  const exact = value(def.exactLength);
  const least = exact ?? value(def.minLength);
  const most = exact ?? value(def.maxLength);
  return {
    ...(least === undefined ? {} : { minItems: least }),
    ...(most === undefined ? {} : { maxItems: most }),
  };
}
