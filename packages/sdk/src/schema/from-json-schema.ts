import type { InputIssue, JsonObject, ParsedInput } from "../protocol/index.ts";
import { coerce } from "./coerce.ts";
import type { CompiledSchema } from "./compiled.ts";
import { schemaFault } from "./fault.ts";
import { gotText } from "./issues.ts";
import { checkJsonSchema } from "./json/check.ts";
import { copyJson } from "./json/copy.ts";
import { objectRoot } from "./json/root.ts";
import { upgradeDrafts } from "./json/upgrade.ts";
import { compileValidator, type Validator } from "./json/validator.ts";
import { isJsonObject, own } from "./plain.ts";

type Json = { [key: string]: unknown };

/** A full JSON Schema as a tool's input: copied, brought to draft 2020-12, checked, its root made an object. */
export function fromJsonSchema(form: Json, tool: string): CompiledSchema {
  const root = objectRoot(readJsonSchema(form, tool));
  if (!root.ok)
    throw schemaFault(tool, "type", root.message, 'Put it under a key of { type: "object", properties: … }.');
  return { jsonSchema: root.schema, parse: jsonParser(root.schema, root.wrapper) };
}

/** A JSON Schema copied, brought to draft 2020-12 and checked. @throws CastellanError `invalid_schema`. */
export function readJsonSchema(form: Json, tool: string): Json {
  const copy = copyJson(form, libraryFault);
  if (!copy.ok) {
    const fix = "Give plain JSON data; a Zod object is a schema by itself.";
    throw schemaFault(tool, copy.place, `${copy.problem}.`, fix);
  }
  const schema = upgradeDrafts(copy.value as Json);
  const fault = checkJsonSchema(schema);
  if (fault !== undefined) throw schemaFault(tool, fault.place, fault.message, fault.fix);
  return schema;
}

function libraryFault(value: object): string | undefined {
  return "~standard" in value ? "a schema object of a library stands inside a JSON Schema" : undefined;
}

/** The parser of a schema whose root is an object. Its validator is compiled at the first parse. */
export function jsonParser(schema: Json, wrapper?: string): (value: unknown) => ParsedInput {
  let validator: Validator | undefined;
  return (value) => {
    validator ??= compileValidator(schema);
    const given = wrap(value, wrapper);
    let issues = validator(given);
    if (issues.length === 0) return accept(given, wrapper);
    const read = wrap(coerce(schema, given), wrapper);
    if (read !== given) issues = validator(read);
    return issues.length === 0
      ? accept(read, wrapper)
      : { ok: false, issues: relative(issues, wrapper, value) };
  };
}

function accept(value: unknown, wrapper: string | undefined): ParsedInput {
  const input = wrapper === undefined ? value : own(value as Json, wrapper);
  if (isJsonObject(input)) return { ok: true, input: input as JsonObject };
  return {
    ok: false,
    issues: [{ path: "", message: "must be an object", expected: "object", got: gotText(input) }],
  };
}

/** Puts a bare input under the wrapper's key: hooks and people hand back the input that the handler gets. */
export function wrap(value: unknown, wrapper: string | undefined): unknown {
  if (wrapper === undefined || !isJsonObject(value) || Object.hasOwn(value, wrapper)) return value;
  return { [wrapper]: value };
}

// A bare input is told its faults without the key that it did not write.
function relative(
  issues: readonly InputIssue[],
  wrapper: string | undefined,
  value: unknown,
): readonly InputIssue[] {
  if (wrapper === undefined || !isJsonObject(value) || Object.hasOwn(value, wrapper)) return issues;
  if (Object.keys(value).length === 0) return issues;
  return issues.map((issue) => {
    const inside = issue.path === wrapper || issue.path.startsWith(`${wrapper}.`);
    return inside ? { ...issue, path: issue.path.slice(wrapper.length + 1) } : issue;
  });
}
