import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  CastellanError,
  errorText,
  type InputIssue,
  type JsonObject,
  type ParsedInput,
} from "../protocol/index.ts";
import { coerce } from "./coerce.ts";
import type { CompiledSchema } from "./compiled.ts";
import { expectedAt } from "./expected-at.ts";
import { schemaFault } from "./fault.ts";
import { fromJsonSchema, wrap } from "./from-json-schema.ts";
import { gotText } from "./issues.ts";
import { objectRoot } from "./json/root.ts";
import { isJsonObject, own } from "./plain.ts";
import type { LibrarySchema } from "./read-form.ts";

import { isZod3 } from "./zod/read-v3.ts";
import { isZod4 } from "./zod/read-v4.ts";
import { zodJsonSchema } from "./zod/zod-json-schema.ts";

type Json = { [key: string]: unknown };
type Result = StandardSchemaV1.Result<unknown>;

/** A schema object of a library as a tool's input: the library judges, and gives the JSON Schema. */
export function fromLibrary(schema: LibrarySchema, tool: string): CompiledSchema {
  const json = libraryJsonSchema(schema, tool, "");
  if (typeof schema["~standard"].validate !== "function") return fromJsonSchema(json, tool);
  const root = objectRoot(json);
  if (!root.ok)
    throw schemaFault(tool, "", root.message, "Wrap it in an object, such as z.object({ value: … }).");
  const validate = (value: unknown): Result | Promise<Result> => schema["~standard"].validate(value);
  return { jsonSchema: root.schema, parse: libraryParser(root.schema, root.wrapper, validate) };
}

/** What a library's schema says about its input. @throws CastellanError `invalid_schema` when it cannot say it. */
export function libraryJsonSchema(schema: LibrarySchema, tool: string, place: string): Json {
  const standard = schema["~standard"];
  const tell = standard.jsonSchema?.input;
  if (typeof tell !== "function" && !isZod3(schema) && !isZod4(schema)) {
    throw schemaFault(
      tool,
      place,
      `this ${standard.vendor} schema cannot be told as JSON Schema.`,
      howTo(standard.vendor),
    );
  }
  try {
    const json: unknown =
      typeof tell === "function"
        ? standard.jsonSchema?.input({ target: "draft-2020-12" })
        : zodJsonSchema(schema);
    if (!isJsonObject(json)) throw new TypeError("it gave no object");
    const { $schema: _, "~standard": __, ...rest } = json;
    return rest;
  } catch (error) {
    const detail = errorText(error);
    throw new CastellanError(
      "invalid_schema",
      `Tool "${tool}", inputSchema${place === "" ? "" : `, at ${place}`}: this ${standard.vendor} schema cannot be told as JSON Schema: ${detail}.`,
      {
        subject: tool,
        cause: error,
        fix: "A model can only send JSON: take a string or number and transform it (a date as z.iso.date()).",
      },
    );
  }
}

function howTo(vendor: string): string {
  if (vendor === "valibot") return "Wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema.";
  return "Use a version of the library that has ~standard.jsonSchema, or give a JSON Schema.";
}

/** The parser over a library's check. Texts are read as JSON only where the value was invalid as it came. */
export function libraryParser(
  jsonSchema: Json,
  wrapper: string | undefined,
  validate: (value: unknown) => Result | Promise<Result>,
): (value: unknown) => ParsedInput | Promise<ParsedInput> {
  const unwrap = (given: unknown): unknown =>
    wrapper !== undefined && isJsonObject(given) && Object.hasOwn(given, wrapper)
      ? own(given, wrapper)
      : given;
  const inner = wrapper === undefined ? jsonSchema : insideOf(jsonSchema, wrapper);
  const judge = (value: unknown): ParsedInput | Promise<ParsedInput> => {
    try {
      const result = validate(value);
      if (result instanceof Promise) return result.then((done) => toParsed(done, value, inner)).catch(failed);
      return toParsed(result, value, inner);
    } catch (error) {
      return failed(error);
    }
  };
  const again = (first: ParsedInput, value: unknown): ParsedInput | Promise<ParsedInput> => {
    if (first.ok) return first;
    const given = wrap(value, wrapper);
    const read = coerce(jsonSchema, given);
    return read === given ? first : judge(unwrap(read));
  };
  return (value) => {
    const first = judge(unwrap(value));
    return first instanceof Promise ? first.then((done) => again(done, value)) : again(first, value);
  };
}

function failed(error: unknown): ParsedInput {
  const detail = errorText(error);
  return { ok: false, issues: [{ path: "", message: `the schema's own check failed: ${detail}` }] };
}

/** What stands below the wrapper's key, with the definitions that it points at. */
function insideOf(schema: Json, wrapper: string): Json {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const inside = own(properties, wrapper);
  return {
    ...(isJsonObject(inside) ? inside : {}),
    ...(schema.$defs === undefined ? {} : { $defs: schema.$defs }),
  };
}

function toParsed(result: Result, value: unknown, jsonSchema: Json): ParsedInput {
  if (result.issues !== undefined && result.issues !== null) {
    return { ok: false, issues: result.issues.map((issue) => toIssue(issue, value, jsonSchema)) };
  }
  if (isJsonObject(result.value)) return { ok: true, input: result.value as JsonObject };
  const message = "the schema turned the input into something that is not an object";
  return { ok: false, issues: [{ path: "", message, got: gotText(result.value) }] };
}

function toIssue(issue: StandardSchemaV1.Issue, value: unknown, jsonSchema: Json): InputIssue {
  const keys = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  let at: unknown = value;
  for (const key of keys) {
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as Record<PropertyKey, unknown>)[key]
        : undefined;
  }
  const expected = expectedAt(jsonSchema, keys);
  return {
    path: keys.map(String).join("."),
    message: issue.message,
    ...(expected === undefined ? {} : { expected }),
    got: gotText(at),
  };
}
