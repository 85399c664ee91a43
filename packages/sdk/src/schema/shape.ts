import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CompiledSchema } from "./compiled.ts";
import { isDescribed } from "./describe.ts";
import { jsonParser } from "./from-json-schema.ts";
import { gotText } from "./issues.ts";
import { embedSchema, pointerKey } from "./json/embed.ts";
import { isJsonObject, own, put } from "./plain.ts";
import { isLibrarySchema, type LibrarySchema } from "./read-form.ts";
import { checkKey, readField } from "./shorthand.ts";
import { libraryJsonSchema, libraryParser } from "./standard.ts";

type Json = { [key: string]: unknown };
type Result = StandardSchemaV1.Result<unknown>;
type Validate = (value: unknown) => Result | Promise<Result>;

interface Field {
  readonly key: string;
  readonly validate: Validate;
}

/** Whether a map has schema objects of a library among its values: a raw shape. */
export function isShape(map: Json): boolean {
  return Object.values(map).some((value) => isLibrarySchema(bare(value)));
}

/**
 * A raw shape (`{ city: z.string(), days: z.number().optional() }`): each key is judged by its own schema,
 * unknown keys are dropped, absent optional keys get their default. Words of a shorthand map may stand beside.
 */
export function fromShape(map: Json, tool: string): CompiledSchema {
  const properties: Json = {};
  const required: string[] = [];
  const defs: Json = {};
  const fields: Field[] = [];
  for (const [key, type] of Object.entries(map)) {
    checkKey(key, tool, key);
    const schema = bare(type);
    const place = `#/properties/${pointerKey(key)}`;
    if (!isLibrarySchema(schema)) {
      const field = readField(type, tool, key);
      put(properties, key, field.schema);
      if (!field.optional) required.push(key);
      fields.push({ key, validate: optionally(field.optional, wordValidator(key, field.schema)) });
      continue;
    }
    const json = embedSchema(libraryJsonSchema(schema, tool, key), place, defs);
    const optional = (isDescribed(type) && type.optional) || acceptsNothing(schema);
    put(properties, key, isDescribed(type) ? { ...json, description: type.text } : json);
    if (!optional) required.push(key);
    fields.push({ key, validate: optionally(optional, (value) => schema["~standard"].validate(value)) });
  }
  const jsonSchema: Json = {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }),
  };
  return {
    jsonSchema,
    parse: libraryParser(jsonSchema, undefined, shapeValidator(fields, new Set(required))),
  };
}

function bare(type: unknown): unknown {
  return isDescribed(type) ? bare(type.type) : type;
}

// Zod says it itself; of others we ask what they make of nothing. An asynchronous answer counts as no.
function acceptsNothing(schema: LibrarySchema): boolean {
  const internals = (schema as { _zod?: { optin?: unknown } })._zod;
  if (internals !== undefined) return internals.optin !== undefined;
  try {
    const result = schema["~standard"].validate(undefined);
    if (!(result instanceof Promise)) return result.issues === undefined;
    result.catch(() => undefined);
    return false;
  } catch {
    return false;
  }
}

function optionally(optional: boolean, validate: Validate): Validate {
  return (value) => (value === undefined && optional ? absent(validate) : validate(value));
}

// A key that is absent still goes through its schema, for its default; where that has no word for it, it stays absent.
function absent(validate: Validate): Result | Promise<Result> {
  const result = validate(undefined);
  const stay = (done: Result): Result => (done.issues === undefined ? done : { value: undefined });
  return result instanceof Promise ? result.then(stay) : stay(result);
}

function wordValidator(key: string, schema: Json): Validate {
  const parse = jsonParser({ type: "object", properties: { [key]: schema } });
  return (value) => {
    if (value === undefined) return { issues: [{ message: "is missing" }] };
    const parsed = parse({ [key]: value });
    if (parsed.ok) return { value: own(parsed.input, key) };
    const issues = parsed.issues.map((issue) => ({
      message: issue.message,
      path: issue.path === key ? [] : issue.path.slice(key.length + 1).split("."),
    }));
    return { issues };
  };
}

function shapeValidator(fields: readonly Field[], required: ReadonlySet<string>): Validate {
  return (value) => {
    if (!isJsonObject(value)) return { issues: [{ message: `must be an object, got ${gotText(value)}` }] };
    const results = fields.map(({ key, validate }): Result | Promise<Result> => {
      const present = Object.hasOwn(value, key);
      if (!present && required.has(key)) return { issues: [{ message: "is missing" }] };
      return validate(present ? value[key] : undefined);
    });
    if (results.some((result) => result instanceof Promise)) {
      return Promise.all(results).then((done) => joinResults(fields, done));
    }
    return joinResults(fields, results as Result[]);
  };
}

function joinResults(fields: readonly Field[], results: readonly Result[]): Result {
  const issues: StandardSchemaV1.Issue[] = [];
  const output: Json = {};
  for (const [index, { key }] of fields.entries()) {
    const result = results[index];
    if (result === undefined) continue;
    if (result.issues !== undefined) {
      for (const issue of result.issues)
        issues.push({ message: issue.message, path: [key, ...(issue.path ?? [])] });
    } else if (result.value !== undefined) {
      put(output, key, result.value);
    }
  }
  return issues.length === 0 ? { value: output } : { issues };
}
