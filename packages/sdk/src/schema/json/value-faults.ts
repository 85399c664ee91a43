import { isJsonObject } from "../plain.ts";
import type { KeywordKind } from "./keywords.ts";

/** The type names of JSON Schema. */
export const TYPE_NAMES: readonly string[] = [
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
];

interface Fault {
  readonly message: string;
  readonly fix: string;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isNames = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((name) => typeof name === "string") &&
  new Set(value).size === value.length;
const isTypeName = (value: unknown): boolean => typeof value === "string" && TYPE_NAMES.includes(value);

const RULES: Partial<Record<KeywordKind, readonly [test: (value: unknown) => boolean, wants: string]>> = {
  boolean: [(value) => typeof value === "boolean", "true or false"],
  count: [isCount, "a whole number from 0 on"],
  enum: [(value) => Array.isArray(value) && value.length > 0, "a list of at least one value"],
  names: [isNames, "a list of different names, in the schema of the object that has them"],
  namesMap: [
    (value) => isJsonObject(value) && Object.values(value).every(isNames),
    "an object of lists of names",
  ],
  number: [(value) => typeof value === "number", "a number"],
  positive: [(value) => typeof value === "number" && value > 0, "a number greater than 0"],
  rootOnly: [(value) => typeof value === "string", "a string"],
  schemaList: [(value) => Array.isArray(value) && value.length > 0, "a list of at least one schema"],
  schemaMap: [isJsonObject, "an object that maps names to schemas"],
  string: [(value) => typeof value === "string", "a string"],
  type: [
    (value) =>
      isTypeName(value) ||
      (isNames(value) && (value as string[]).length > 0 && (value as string[]).every(isTypeName)),
    `one of ${TYPE_NAMES.join(", ")}, or a list of them`,
  ],
};

/** Why `value` cannot stand at a keyword of this kind, or undefined. Schemas inside are not looked into. */
export function valueFault(kind: KeywordKind, value: unknown): Fault | undefined {
  const rule = RULES[kind];
  if (rule === undefined || rule[0](value)) return undefined;
  const shown = JSON.stringify(value) ?? String(value);
  return { message: `${shown.slice(0, 60)} cannot stand here.`, fix: `It must be ${rule[1]}.` };
}
