import { nearestName } from "../schema/index.ts";
import { toolFault } from "./tool-fault.ts";

type Fields = { readonly [key: string]: unknown };
type Rule = readonly [test: (value: unknown) => boolean, wants: string];

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const isFunction = (value: unknown): boolean => typeof value === "function";
const isRecord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const oneOf = (...values: string[]): Rule => [
  (value) => values.includes(value as string),
  `one of ${values.join(", ")}`,
];

export const TOOL_NAME: RegExp = /^[A-Za-z0-9_-]{1,64}$/;

const TEXT: Rule = [isText, "a text that is not blank"];
const FLAG: Rule = [(value) => typeof value === "boolean", "true or false"];
const COUNT: Rule = [isCount, "a whole number from 1 on"];
const FUNCTION: Rule = [isFunction, "a function"];
const RECORD: Rule = [isRecord, "an object"];
const LEVELS = ["low", "medium", "high"];

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    "name",
    [(value) => typeof value === "string" && TOOL_NAME.test(value), "1 to 64 letters, digits, _ or -"],
  ],
  ["description", TEXT],
  [
    "aliases",
    [
      (value) => Array.isArray(value) && value.every((one) => typeof one === "string" && TOOL_NAME.test(one)),
      "a list of names of 1 to 64 letters, digits, _ or -",
    ],
  ],
  ["version", TEXT],
  ["source", oneOf("builtin", "custom", "mcp", "lsp")],
  ["searchHint", TEXT],
  ["title", TEXT],
  [
    "riskLevel",
    [
      (value) => LEVELS.includes(value as string) || isFunction(value),
      '"low", "medium", "high", or a function of the input',
    ],
  ],
  ["permissionPolicy", oneOf("always_allow", "always_ask", "always_deny")],
  ["prompt", [(value) => isText(value) || isFunction(value), "a text, or a function that gives one"]],
  ["mcpInfo", [isMcpInfo, "{ serverName, toolName }"]],
  ["annotations", RECORD],
  [
    "personKeys",
    [
      (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
      "a list of keys of the input",
    ],
  ],
  ["timeoutMs", COUNT],
  ["maxResultSizeChars", COUNT],
  ...["allowedInPlan", "allowedByItself", "idempotent", "shouldDefer", "alwaysLoad", "strict"].map(
    (name) => [name, FLAG] as const,
  ),
  ...[
    ...[
      "activity",
      "call",
      "checkPermissions",
      "describe",
      "execute",
      "getPath",
      "handler",
      "inputsEquivalent",
    ],
    ...["interruptBehavior", "isConcurrencySafe", "isDestructive", "isEnabled", "isOpenWorld", "isReadOnly"],
    ...[
      "preparePermissionMatcher",
      "requiresUserInteraction",
      "summary",
      "targets",
      "userFacingName",
      "validateInput",
    ],
  ].map((name) => [name, FUNCTION] as const),
]);

const ANNOTATION_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["title", TEXT],
  ["readOnlyHint", FLAG],
  ["destructiveHint", FLAG],
  ["idempotentHint", FLAG],
  ["openWorldHint", FLAG],
  ["maxResultSizeChars", COUNT],
]);

function isMcpInfo(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { serverName, toolName } = value as { serverName?: unknown; toolName?: unknown };
  return isText(serverName) && isText(toolName);
}

/**
 * Checks what an author wrote, field by field, and gives back the fields that are not undefined.
 *
 * @param known the keys that may stand here.
 * @throws CastellanError `invalid_tool` that names tool, field and fix.
 */
export function readFields(given: Fields, known: ReadonlySet<string>, tool: unknown): Fields {
  const fields: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(given)) {
    if (!known.has(key)) {
      const near = nearestName(key, known);
      throw toolFault(
        tool,
        key,
        "there is no such field.",
        near === undefined ? `The fields are ${[...known].sort().join(", ")}.` : `Did you mean ${near}?`,
      );
    }
    if (value === undefined) continue;
    checkField(key, value, RULES.get(key), tool);
    fields[key] = value;
  }
  if (isRecord(fields.annotations)) fields.annotations = readAnnotations(fields.annotations as Fields, tool);
  return fields;
}

function readAnnotations(given: Fields, tool: unknown): Fields {
  const annotations: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(given)) {
    const rule = ANNOTATION_RULES.get(key);
    if (rule === undefined) {
      const near = nearestName(key, ANNOTATION_RULES.keys());
      throw toolFault(
        tool,
        `annotations.${key}`,
        "there is no such hint.",
        near === undefined
          ? `The hints are ${[...ANNOTATION_RULES.keys()].join(", ")}.`
          : `Did you mean ${near}?`,
      );
    }
    if (value === undefined) continue;
    checkField(`annotations.${key}`, value, rule, tool);
    annotations[key] = value;
  }
  return annotations;
}

function checkField(field: string, value: unknown, rule: Rule | undefined, tool: unknown): void {
  if (rule === undefined || rule[0](value)) return;
  throw toolFault(tool, field, `${shown(value)} cannot stand here.`, `It must be ${rule[1]}.`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
