import { isJsonObject } from "../plain.ts";
import { embedSchema } from "./embed.ts";
import { refLookup } from "./refs.ts";
import { subschemas } from "./subschemas.ts";

type Json = { [key: string]: unknown };

/** A schema whose root a provider accepts, or why there is none. */
export type RootForm =
  /** `wrapper`: the input that the handler gets stands under this one key. */
  | { readonly ok: true; readonly schema: Json; readonly wrapper?: string }
  | { readonly ok: false; readonly message: string };

// What one provider or another refuses at the root.
const COMBINING = ["oneOf", "anyOf", "allOf", "not", "enum"];

/**
 * Gives a schema a root of `type: "object"` without what providers refuse there.
 * A root that has one of them moves below a single key; a root that is only a `$ref` is replaced by its target.
 */
export function objectRoot(given: Json): RootForm {
  const { $schema: _, ...rest } = given;
  const schema = followRootRef(rest);
  const type = schema.type;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object"))) {
    return {
      ok: false,
      message: `the root is of type ${JSON.stringify(type)}, but a tool's input is an object.`,
    };
  }
  if (schema.$ref === undefined && !COMBINING.some((keyword) => Object.hasOwn(schema, keyword))) {
    return { ok: true, schema: type === "object" ? schema : { type: "object", ...omit(schema, "type") } };
  }
  const wrapper = freeKey(schema);
  const defs: Json = {};
  const moved = embedSchema(schema, `#/properties/${wrapper}`, defs);
  const inner = { type: "object", ...omit(moved, "type") };
  return {
    ok: true,
    wrapper,
    schema: {
      type: "object",
      properties: { [wrapper]: inner },
      required: [wrapper],
      additionalProperties: false,
      ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }),
    },
  };
}

function omit(schema: Json, key: string): Json {
  const { [key]: _, ...rest } = schema;
  return rest;
}

function followRootRef(schema: Json): Json {
  let current = schema;
  for (let hops = 0; hops < 20 && typeof current.$ref === "string"; hops++) {
    const others = Object.keys(current).filter(
      (key) => !["$ref", "$defs", "definitions", "$id"].includes(key),
    );
    const target = refLookup(current)(current.$ref);
    if (others.length > 0 || !isJsonObject(target)) return current;
    const { $ref: _, ...definitions } = current;
    current = { ...target, ...definitions };
  }
  return current;
}

// A key that no schema inside uses, so that a wrapped input is never mistaken for a bare one.
function freeKey(schema: Json): string {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (!isJsonObject(node)) return;
    if (isJsonObject(node.properties)) for (const name of Object.keys(node.properties)) used.add(name);
    for (const [, , inner] of subschemas(node)) visit(inner);
  };
  visit(schema);
  return ["input", "value", "arguments", "tool_input"].find((key) => !used.has(key)) ?? "tool_arguments";
}
