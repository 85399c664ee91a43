import type { JsonSchema } from "@castellan/sdk";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { givenFile } from "./given-file.ts";

const FIX = "Give a JSON Schema of an object, or a file that holds one.";

/**
 * The schema that `--output-schema` gives: JSON where it begins with a brace, else a file.
 *
 * @throws Fault (usage) for a file that cannot be read, and for what is no JSON object.
 */
export async function outputSchema(value: string): Promise<JsonSchema> {
  const inline = value.trimStart().startsWith("{");
  const text = inline ? value : await givenFile("--output-schema", value, FIX);
  const where = inline ? "--output-schema" : `--output-schema ${value}`;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    throw new Fault(EXIT.usage, `${where} is no JSON: ${(error as Error).message}. ${FIX}`, error);
  }
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    throw new Fault(EXIT.usage, `${where} is no JSON object. ${FIX}`);
  if (Object.hasOwn(schema, "type") && (schema as { readonly type: unknown }).type !== "object")
    throw new Fault(EXIT.usage, `${where} describes no object. ${FIX}`);
  return schema as JsonSchema;
}
