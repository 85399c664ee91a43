import { jsonEqual } from "./equal.ts";
import { type Check, fail } from "./faults.ts";
import { FORMATS } from "./formats.ts";
import { compilePattern } from "./pattern.ts";

const ARTICLES: ReadonlyMap<string, string> = new Map([
  ["array", "an array"],
  ["boolean", "true or false"],
  ["integer", "a whole number"],
  ["null", "null"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a string"],
]);

/** Whether a value has a type that JSON Schema names. */
export function hasType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

export function checkType(type: string | readonly string[]): Check {
  const types = typeof type === "string" ? [type] : type;
  const words = types.map((name) => ARTICLES.get(name) ?? name).join(" or ");
  const expected = types.join(" or ");
  return (value, place, faults) =>
    types.some((name) => hasType(value, name)) || fail(faults, place, `must be ${words}`, value, expected);
}

export function checkEnum(values: readonly unknown[]): Check {
  const simple = new Set(values.filter((item) => typeof item !== "object" || item === null));
  const complex = values.filter((item) => typeof item === "object" && item !== null);
  const listed = values.map((item) => JSON.stringify(item)).join(", ");
  const expected = listed.length > 300 ? `${listed.slice(0, 300)} …` : listed;
  return (value, place, faults) =>
    simple.has(value) ||
    complex.some((item) => jsonEqual(item, value)) ||
    fail(faults, place, "must be one of the listed values", value, expected);
}

export function checkConst(wanted: unknown): Check {
  return (value, place, faults) =>
    jsonEqual(wanted, value) || fail(faults, place, `must be ${JSON.stringify(wanted)}`, value);
}

/** A test of numbers only; everything else passes. */
export function checkNumber(test: (value: number) => boolean, words: string): Check {
  return (value, place, faults) =>
    typeof value !== "number" || test(value) || fail(faults, place, `must be ${words}`, value);
}

/** Whether `value` is a multiple of `divisor`, within what binary fractions can tell. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  if (!Number.isFinite(quotient)) return value % divisor === 0;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.abs(quotient) * 2;
}

/** A test of the number of characters (code points) of a text. */
export function checkLength(test: (length: number) => boolean, words: string): Check {
  return (value, place, faults) =>
    typeof value !== "string" || test(codePoints(value)) || fail(faults, place, `must have ${words}`, value);
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) count--;
  }
  return count;
}

export function checkPattern(source: string): Check {
  const pattern = compilePattern(source);
  return (value, place, faults) =>
    typeof value !== "string" ||
    (pattern.ok && pattern.test(value)) ||
    fail(faults, place, "does not match the pattern", value, source);
}

/** Undefined for a format that is only a note. */
export function checkFormat(format: string): Check | undefined {
  const test = FORMATS.get(format);
  if (test === undefined) return undefined;
  return (value, place, faults) =>
    typeof value !== "string" ||
    test(value) ||
    fail(faults, place, `is not a well-formed ${format}`, value, format);
}
