import type { JsonObject, RiskLevel, Target, ToolAnnotations, ToolDefinition } from "../protocol/index.ts";
import {
  compileOutputSchema,
  compileSchema,
  type InferInput,
  jsonEqual,
  type SchemaForm,
} from "../schema/index.ts";
import { bindDefinition } from "./brand.ts";
import { readFields } from "./fields.ts";
import { aliasesOf } from "./names.ts";
import { ownInput } from "./own-input.ts";
import { possibly, surely, text } from "./safe.ts";
import { toolFault } from "./tool-fault.ts";
import type { AuthoredAnnotations, ToolDraft } from "./types.ts";
import { undeclared } from "./undeclared.ts";

const DEFAULT_RESULT_CHARS = 50_000;
/** More characters of a result than this go to no model, whatever a tool asks for. */
export const MAX_RESULT_CHARS = 500_000;

/** The fields that an author may give beside name, description, schema and handler. */
export const EXTRA_FIELDS: readonly string[] = [
  ...[
    "activity",
    "aliases",
    "alwaysLoad",
    "annotations",
    "checkPermissions",
    "describe",
    "getPath",
    "idempotent",
  ],
  ...[
    "inputsEquivalent",
    "interruptBehavior",
    "isConcurrencySafe",
    "isDestructive",
    "isEnabled",
    "isOpenWorld",
  ],
  ...[
    "isReadOnly",
    "maxResultSizeChars",
    "outputSchema",
    "permissionPolicy",
    "preparePermissionMatcher",
    "prompt",
    "requiresUserInteraction",
  ],
  ...[
    "riskLevel",
    "searchHint",
    "shouldDefer",
    "strict",
    "summary",
    "targets",
    "timeoutMs",
    "title",
    "userFacingName",
  ],
  ...["validateInput", "version"],
];

const DRAFT_FIELDS: ReadonlySet<string> = new Set([
  ...EXTRA_FIELDS,
  ...[
    "allowedByItself",
    "allowedInPlan",
    "call",
    "description",
    "inputSchema",
    "mcpInfo",
    "name",
    "personKeys",
    "source",
  ],
]);

/**
 * Makes a full tool definition. What is left out gets the careful default: not read-only, run alone, not
 * idempotent, of high risk, no opinion of its own about permission, the call's name as its target.
 * A field given as undefined counts as left out.
 *
 * @throws CastellanError `invalid_tool` or `invalid_schema` that names the tool, the field and the fix.
 */
export function buildTool<const Form extends SchemaForm>(
  draft: ToolDraft<Form, InferInput<Form>>,
): ToolDefinition {
  if (typeof draft !== "object" || draft === null) {
    throw toolFault(
      undefined,
      "name",
      "buildTool takes one object.",
      "Write buildTool({ name, description, inputSchema, call }).",
    );
  }
  const fields = readFields({ ...draft }, DRAFT_FIELDS, draft.name) as Partial<ToolDraft>;
  for (const field of ["name", "description", "inputSchema", "call"] as const) {
    if (fields[field] === undefined)
      throw toolFault(draft.name, field, "it is missing.", `Give the tool its ${field}.`);
  }
  return complete(fields as ToolDraft);
}

function complete(fields: ToolDraft): ToolDefinition {
  const { name, description, targets, prompt, timeoutMs } = fields;
  const source = fields.source ?? "custom";
  const schema = compileSchema(fields.inputSchema, { tool: name });
  const { maxResultSizeChars: hinted, ...hints } = fields.annotations ?? {};
  const isReadOnly = surely(fields.isReadOnly?.bind(fields) ?? (() => hints.readOnlyHint === true));
  const userFacingName = text<[JsonObject]>(
    fields.userFacingName?.bind(fields),
    () => fields.title ?? hints.title ?? name,
  );
  const summary = text<[JsonObject]>(fields.summary?.bind(fields), (input) => shortJson(input));
  const definition: ToolDefinition = {
    name,
    aliases: [...new Set([...(fields.aliases ?? []), ...(source === "builtin" ? aliasesOf(name) : [])])],
    version: fields.version ?? "1.0.0",
    source,
    ...pick(fields, "mcpInfo", "searchHint", "title", "permissionPolicy", "personKeys", "strict"),
    inputSchema: schema.jsonSchema,
    parseInput: (value) => schema.parse(value),
    ...outputOf(fields),
    description,
    prompt: text(typeof prompt === "function" ? prompt : undefined, () =>
      typeof prompt === "string" ? prompt : description,
    ),
    describe: text<[JsonObject]>(fields.describe?.bind(fields), (input) =>
      `${userFacingName(input)} ${summary(input)}`.trim(),
    ),
    validateInput: fields.validateInput?.bind(fields) ?? (() => ({ ok: true })),
    hasCheck: fields.checkPermissions !== undefined,
    checkPermissions: fields.checkPermissions?.bind(fields) ?? (() => ({ behavior: "passthrough" })),
    // Built-ins change no input, and may know a call by it.
    call:
      source === "builtin"
        ? fields.call.bind(fields)
        : (input, context, progress) => fields.call(ownInput(input), context, progress),
    annotations: hints as ToolAnnotations,
    isReadOnly,
    isDestructive: declared(fields.isDestructive?.bind(fields), hints.destructiveHint),
    isOpenWorld: declared(fields.isOpenWorld?.bind(fields), hints.openWorldHint),
    requiresUserInteraction: possibly(fields.requiresUserInteraction?.bind(fields) ?? (() => false)),
    targets: targets?.bind(fields) ?? defaultTargets(fields, isReadOnly),
    ...(fields.preparePermissionMatcher === undefined
      ? {}
      : { preparePermissionMatcher: fields.preparePermissionMatcher.bind(fields) }),
    riskLevel: readRisk(fields.riskLevel),
    allowedInPlan: fields.allowedInPlan ?? false,
    allowedByItself: fields.allowedByItself ?? false,
    isConcurrencySafe: surely(fields.isConcurrencySafe?.bind(fields) ?? (() => hints.readOnlyHint === true)),
    interruptBehavior: () => (isCancel(fields) ? "cancel" : "block"),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    idempotent: fields.idempotent ?? hints.idempotentHint === true,
    shouldDefer: fields.shouldDefer ?? false,
    alwaysLoad: fields.alwaysLoad ?? false,
    isEnabled: surely(fields.isEnabled?.bind(fields) ?? (() => true)),
    userFacingName,
    summary,
    activity: text<[JsonObject]>(fields.activity?.bind(fields), userFacingName),
    maxResultSizeChars: readLimit(name, fields.maxResultSizeChars, hinted),
    inputsEquivalent: surely(fields.inputsEquivalent?.bind(fields) ?? jsonEqual),
  };
  bindDefinition(definition, definition);
  return Object.freeze(definition);
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): { [P in K]: NonNullable<T[P]> } {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as {
    [P in K]: NonNullable<T[P]>;
  };
}

function outputOf({ name, outputSchema }: ToolDraft): Pick<ToolDefinition, "outputSchema" | "checkOutput"> {
  if (outputSchema === undefined) return {};
  const { jsonSchema, faults } = compileOutputSchema(outputSchema, { tool: name });
  return { outputSchema: jsonSchema, checkOutput: faults };
}

/** What its author or a hint says; else no, which a server may take otherwise. */
function declared(
  ask: ((input: JsonObject) => unknown) | undefined,
  hint: boolean | undefined,
): (input: JsonObject) => boolean {
  if (ask !== undefined) return possibly(ask);
  return hint === undefined ? undeclared(() => false) : () => hint;
}

function defaultTargets(
  fields: ToolDraft,
  isReadOnly: (input: JsonObject) => boolean,
): ToolDefinition["targets"] {
  const getPath = fields.getPath?.bind(fields);
  if (getPath === undefined) {
    const named: readonly Target[] = [{ kind: "name", value: fields.name }];
    return undeclared(() => named);
  }
  return (input) => [{ kind: "path", access: isReadOnly(input) ? "read" : "write", path: getPath(input) }];
}

function readRisk(risk: ToolDraft["riskLevel"]): (input: JsonObject) => RiskLevel {
  if (typeof risk !== "function") return () => risk ?? "high";
  return (input) => {
    try {
      const level = risk(input);
      return level === "low" || level === "medium" ? level : "high";
    } catch {
      return "high";
    }
  };
}

function isCancel(fields: ToolDraft): boolean {
  try {
    return fields.interruptBehavior?.() === "cancel";
  } catch {
    return false;
  }
}

function readLimit(
  tool: string,
  beside: number | undefined,
  among: AuthoredAnnotations["maxResultSizeChars"],
): number {
  if (beside !== undefined && among !== undefined && beside !== among) {
    throw toolFault(
      tool,
      "maxResultSizeChars",
      `it is ${beside} beside the annotations and ${among} among them.`,
      "Give it in one place.",
    );
  }
  return Math.min(beside ?? among ?? DEFAULT_RESULT_CHARS, MAX_RESULT_CHARS);
}

function shortJson(input: JsonObject): string {
  try {
    const json = JSON.stringify(input) ?? "";
    return json.length > 120 ? `${json.slice(0, 119)}…` : json;
  } catch {
    return "";
  }
}
