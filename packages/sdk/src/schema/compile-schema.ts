import type { CompiledSchema } from "./compiled.ts";
import { fromJsonSchema } from "./from-json-schema.ts";
import { readForm } from "./read-form.ts";
import { fromShape, isShape } from "./shape.ts";
import { mapSchema } from "./shorthand.ts";
import { fromLibrary } from "./standard.ts";

const compiled = new WeakMap<object, CompiledSchema>();

/**
 * Turns any accepted form into the one JSON Schema that the model sees and the one parser that enforces it:
 * a shorthand map, a raw Zod shape, a Standard Schema that also gives JSON Schema, or a JSON Schema.
 *
 * The same form object is compiled once; a form that is changed later keeps its first meaning.
 * A JSON Schema's validator is compiled at the first parse.
 *
 * @param where.tool the tool's name, for errors.
 * @throws CastellanError `invalid_schema` that names the tool, the place in the schema and the fix.
 */
export function compileSchema(form: unknown, where: { readonly tool: string }): CompiledSchema {
  const key = (typeof form === "object" && form !== null) || typeof form === "function" ? form : undefined;
  const known = key === undefined ? undefined : compiled.get(key);
  if (known !== undefined) return known;
  const schema = compileForm(form, where.tool);
  if (key !== undefined) compiled.set(key, schema);
  return schema;
}

function compileForm(form: unknown, tool: string): CompiledSchema {
  const reading = readForm(form, tool);
  if (reading.kind === "library") return fromLibrary(reading.schema, tool);
  if (reading.kind === "json") return fromJsonSchema(reading.schema, tool);
  return isShape(reading.map)
    ? fromShape(reading.map, tool)
    : fromJsonSchema(mapSchema(reading.map, tool), tool);
}
