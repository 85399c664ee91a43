import { put } from "../plain.ts";
import type { ZodNode, ZodReader } from "./node.ts";
import { isZod3, zod3 } from "./read-v3.ts";
import { isZod4, zod4 } from "./read-v4.ts";

type Json = { [key: string]: unknown };

const MOST_LEVELS = 100;

/**
 * The JSON Schema of what a Zod schema takes, for releases of Zod that cannot tell it themselves (3.25 to 4.1);
 * undefined for anything else. What refinements and transforms check stays with Zod.
 *
 * @throws TypeError for a schema of something that is not JSON, such as a date.
 */
export function zodJsonSchema(schema: object): Json | undefined {
  if (isZod4(schema)) return write(schema, zod4);
  return isZod3(schema) ? write(schema, zod3) : undefined;
}

function write(root: object, zod: ZodReader): Json {
  const defs: Json = {};
  const open = new Set<object>();
  // Schemas that lead back to themselves, with the name under which they are found.
  const names = new Map<object, string>();

  const visit = (schema: object): Json => {
    const known = names.get(schema);
    if (known !== undefined && (open.has(schema) || Object.hasOwn(defs, known)))
      return { $ref: `#/$defs/${known}` };
    if (open.has(schema)) {
      const name = `schema${names.size + 1}`;
      names.set(schema, name);
      return { $ref: `#/$defs/${name}` };
    }
    if (open.size >= MOST_LEVELS) throw new TypeError(`it is nested more than ${MOST_LEVELS} levels deep`);
    open.add(schema);
    const json = described(written(zod.node(schema)), zod.description(schema));
    open.delete(schema);
    const name = names.get(schema);
    if (name === undefined) return json;
    defs[name] = json;
    return { $ref: `#/$defs/${name}` };
  };

  const written = (node: ZodNode): Json => {
    switch (node.kind) {
      case "json":
        return { ...node.json };
      case "array":
        return { type: "array", items: visit(node.element), ...node.json };
      case "object":
        return writeObject(node, zod, visit);
      case "union":
        return { anyOf: node.options.map(visit) };
      case "both":
        return { allOf: node.parts.map(visit) };
      case "tuple":
        return {
          type: "array",
          prefixItems: node.items.map(visit),
          ...(node.rest === undefined ? { items: false } : { items: visit(node.rest) }),
          minItems: node.items.filter((item) => !zod.isOptional(item)).length,
        };
      case "record":
        return writeRecord(visit(node.key), visit(node.value));
      case "inner": {
        const inner = visit(node.inner);
        return { ...(node.nullable === true ? { anyOf: [inner, { type: "null" }] } : inner), ...node.json };
      }
      case "none":
        throw new TypeError(`${node.what} is nothing that JSON can hold`);
    }
  };

  const json = visit(root);
  return Object.keys(defs).length === 0 ? json : { ...json, $defs: defs };
}

function described(json: Json, description: string | undefined): Json {
  return description === undefined ? json : { ...json, description };
}

function writeObject(
  { shape, rest }: Extract<ZodNode, { kind: "object" }>,
  zod: ZodReader,
  visit: (schema: object) => Json,
): Json {
  const properties: Json = {};
  for (const [key, schema] of Object.entries(shape)) put(properties, key, visit(schema));
  const required = Object.entries(shape).flatMap(([key, schema]) => (zod.isOptional(schema) ? [] : [key]));
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(rest === undefined ? {} : { additionalProperties: rest === false ? false : visit(rest) }),
  };
}

function writeRecord(key: Json, value: Json): Json {
  const names = key.type === "string" && Object.keys(key).length === 1 ? {} : { propertyNames: key };
  return { type: "object", ...names, additionalProperties: value };
}
