import { isJsonObject } from "../plain.ts";
import { checkContains, checkItemCount, checkItems, checkPrefix, checkUnique } from "./array-checks.ts";
import {
  checkAllOf,
  checkAnyOf,
  checkDependentSchemas,
  checkIf,
  checkNot,
  checkOneOf,
} from "./combine-checks.ts";
import type { Check } from "./faults.ts";
import {
  checkKeyCount,
  checkKeyNames,
  checkProperties,
  checkRequired,
  checkUnseenKeys,
} from "./object-checks.ts";
import { compilePattern } from "./pattern.ts";
import type { RefLookup } from "./refs.ts";
import {
  checkConst,
  checkEnum,
  checkFormat,
  checkLength,
  checkNumber,
  checkPattern,
  checkType,
  isMultipleOf,
} from "./scalar-checks.ts";

type Json = { [key: string]: unknown };
type Compile = (schema: unknown) => Check;
type Build = (value: never, compile: Compile, schema: Json) => Check | undefined;

const list = (schemas: readonly unknown[], compile: Compile): Check[] => schemas.map((item) => compile(item));

// In this order: the type first, what builds on `seen` last.
const BUILDERS: readonly (readonly [keyword: string, build: Build])[] = [
  ["type", (type: string | string[]) => checkType(type)],
  ["enum", (values: unknown[]) => checkEnum(values)],
  ["const", (value: unknown) => checkConst(value)],
  ["multipleOf", (by: number) => checkNumber((n) => isMultipleOf(n, by), `a multiple of ${by}`)],
  ["minimum", (min: number) => checkNumber((n) => n >= min, `at least ${min}`)],
  ["maximum", (max: number) => checkNumber((n) => n <= max, `at most ${max}`)],
  ["exclusiveMinimum", (min: number) => checkNumber((n) => n > min, `greater than ${min}`)],
  ["exclusiveMaximum", (max: number) => checkNumber((n) => n < max, `less than ${max}`)],
  ["minLength", (min: number) => checkLength((n) => n >= min, `at least ${min} character(s)`)],
  ["maxLength", (max: number) => checkLength((n) => n <= max, `at most ${max} character(s)`)],
  ["pattern", (source: string) => checkPattern(source)],
  ["format", (format: string) => checkFormat(format)],
  ["minItems", (min: number) => checkItemCount((n) => n >= min, `at least ${min} item(s)`)],
  ["maxItems", (max: number) => checkItemCount((n) => n <= max, `at most ${max} item(s)`)],
  ["uniqueItems", (value: boolean) => checkUnique(value)],
  ["prefixItems", (schemas: unknown[], compile) => checkPrefix(list(schemas, compile))],
  [
    "items",
    (schema: unknown, compile, { prefixItems }) => checkItems(compile(schema), lengthOf(prefixItems)),
  ],
  [
    "contains",
    (schema: unknown, compile, { minContains, maxContains }) =>
      checkContains(compile(schema), (minContains as number) ?? 1, (maxContains as number) ?? Infinity),
  ],
  ["minProperties", (min: number) => checkKeyCount((n) => n >= min, `at least ${min} key(s)`)],
  ["maxProperties", (max: number) => checkKeyCount((n) => n <= max, `at most ${max} key(s)`)],
  ["required", (names: string[]) => checkRequired(names)],
  [
    "dependentRequired",
    (map: { [key: string]: string[] }) =>
      checkAllOf(Object.entries(map).map(([key, names]) => checkRequired(names, key))),
  ],
  ["propertyNames", (schema: unknown, compile) => checkKeyNames(compile(schema))],
  ["dependentSchemas", (map: Json, compile) => checkDependentSchemas(named(map, compile))],
  ["allOf", (schemas: unknown[], compile) => checkAllOf(list(schemas, compile))],
  ["anyOf", (schemas: unknown[], compile) => checkAnyOf(list(schemas, compile))],
  ["oneOf", (schemas: unknown[], compile) => checkOneOf(list(schemas, compile))],
  ["not", (schema: unknown, compile) => checkNot(compile(schema))],
  [
    "if",
    (schema: unknown, compile, node) =>
      checkIf(
        compile(schema),
        node.then === undefined ? undefined : compile(node.then),
        node.else === undefined ? undefined : compile(node.else),
      ),
  ],
];

const PROPERTY_KEYWORDS = ["properties", "patternProperties", "additionalProperties"];

/** The checks of one schema, one a keyword, in the order in which they run. */
export function keywordChecks(schema: Json, compile: Compile, lookup: RefLookup): Check[] {
  const checks: Check[] = [];
  for (const [keyword, build] of BUILDERS) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const check = build(schema[keyword] as never, compile, schema);
    if (check !== undefined) checks.push(check);
  }
  if (typeof schema.$ref === "string") checks.push(compile(lookup(schema.$ref) ?? false));
  if (PROPERTY_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))) {
    checks.push(propertyChecks(schema, compile));
  }
  if (schema.unevaluatedItems !== undefined) {
    checks.push(checkItems(compile(schema.unevaluatedItems), 0, true));
  }
  if (schema.unevaluatedProperties !== undefined) {
    checks.push(checkUnseenKeys(compile(schema.unevaluatedProperties)));
  }
  return checks;
}

function propertyChecks(schema: Json, compile: Compile): Check {
  const patterns: [(key: string) => boolean, Check][] = [];
  if (isJsonObject(schema.patternProperties)) {
    for (const [source, inner] of Object.entries(schema.patternProperties)) {
      const pattern = compilePattern(source);
      // A pattern that cannot run was refused at build; should one get here, it lets nothing through.
      patterns.push(pattern.ok ? [pattern.test, compile(inner)] : [() => true, compile(false)]);
    }
  }
  const rest = schema.additionalProperties;
  return checkProperties({
    properties: isJsonObject(schema.properties) ? named(schema.properties, compile) : new Map(),
    patterns,
    additional: rest === undefined ? undefined : rest === false ? false : compile(rest),
  });
}

function named(map: Json, compile: Compile): Map<string, Check> {
  return new Map(Object.entries(map).map(([name, schema]) => [name, compile(schema)]));
}

function lengthOf(prefix: unknown): number {
  return Array.isArray(prefix) ? prefix.length : 0;
}
