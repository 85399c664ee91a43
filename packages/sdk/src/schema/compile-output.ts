import type { InputIssue, JsonSchema } from "../protocol/index.ts";
import { compileSchema } from "./compile-schema.ts";
import { schemaFault } from "./fault.ts";
import { readJsonSchema } from "./from-json-schema.ts";
import { compileValidator, type Validator } from "./json/validator.ts";
import { readForm } from "./read-form.ts";
import { libraryJsonSchema } from "./standard.ts";

/** What a schema of results ends as. */
export interface OutputSchema {
  /** Draft 2020-12, as its author means it: a root `anyOf` stays where it is. */
  readonly jsonSchema: JsonSchema;
  /** What is wrong with a value, to the letter: nothing is read out of texts. Empty when it fits. Never throws. */
  faults(value: unknown): readonly InputIssue[];
}

/**
 * Turns any accepted form into the schema of a tool's structured results.
 *
 * @param where.tool the tool's name, for errors.
 * @throws CastellanError `invalid_schema` that names the tool, the place in the schema and the fix.
 */
export function compileOutputSchema(form: unknown, where: { readonly tool: string }): OutputSchema {
  const tool = `${where.tool} (outputSchema)`;
  const jsonSchema = jsonOf(form, tool);
  const { type } = jsonSchema;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object"))) {
    const message = `the root is of type ${JSON.stringify(type)}, but a structured result is an object.`;
    throw schemaFault(tool, "type", message, "Put the value under a key.");
  }
  let validator: Validator | undefined;
  return {
    jsonSchema,
    faults(value) {
      validator ??= compileValidator(jsonSchema);
      return validator(value);
    },
  };
}

function jsonOf(form: unknown, tool: string): JsonSchema {
  const reading = readForm(form, tool);
  if (reading.kind === "json") return readJsonSchema(reading.schema, tool);
  if (reading.kind === "library") return readJsonSchema(libraryJsonSchema(reading.schema, tool, ""), tool);
  // A map has no root that would be moved.
  return compileSchema(form, { tool }).jsonSchema;
}
