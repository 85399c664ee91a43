import { isJsonObject } from "../../schema/index.ts";
import { type Check, type Fault, fault } from "./fault.ts";

export const text: Check = (value) =>
  typeof value === "string" && value.trim() !== "" ? undefined : fault("a non-empty string", value);

export const anyText: Check = (value) => (typeof value === "string" ? undefined : fault("a string", value));

export const flag: Check = (value) => {
  if (typeof value === "boolean") return undefined;
  const isWord = value === "true" || value === "false";
  return fault("true or false", value, "", isWord ? `Write ${value} without quotes.` : undefined);
};

export const func: Check = (value) => (typeof value === "function" ? undefined : fault("a function", value));

export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const limit = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : fault(`a whole number ${limit}`, value);
}

export function oneOf(values: readonly string[]): Check {
  const list = values.map((value) => `"${value}"`).join(", ");
  const expected = values.length === 1 ? list : `one of ${list}`;
  return (value) =>
    typeof value === "string" && values.includes(value) ? undefined : fault(expected, value);
}

export const textList: Check = (value) => {
  if (!Array.isArray(value)) {
    const fix = typeof value === "string" ? `Write [${JSON.stringify(value)}].` : undefined;
    return fault("a list of strings", value, "", fix);
  }
  return firstFault(value, text);
};

export function record(check: Check, what: string): Check {
  return (value) => {
    if (!isJsonObject(value)) return fault(what, value);
    for (const [key, item] of Object.entries(value)) {
      const inner = check(item);
      if (inner !== undefined) return { ...inner, at: `.${key}${inner.at}` };
    }
    return undefined;
  };
}

/** An object in which each key has a check of its own; other keys are faults, and so is a missing one of `needed`. */
export function shape(
  fields: Readonly<Record<string, Check>>,
  what: string,
  needed: readonly string[] = [],
): Check {
  return (value) => {
    if (!isJsonObject(value)) return fault(what, value);
    for (const [key, item] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (check === undefined) {
        const known = Object.keys(fields).join(", ");
        return {
          at: `.${key}`,
          expected: `under one of the keys ${known}`,
          got: "no key that is known there",
        };
      }
      const inner = item === undefined ? undefined : check(item);
      if (inner !== undefined) return { ...inner, at: `.${key}${inner.at}` };
    }
    const missing = needed.find((key) => value[key] === undefined);
    return missing === undefined ? undefined : fault(what, value, "", `Its ${missing} is missing.`);
  };
}

export function methods(names: readonly string[], what: string): Check {
  return (value) => {
    if (typeof value !== "object" || value === null) return fault(what, value);
    const missing = names.filter((name) => typeof (value as Record<string, unknown>)[name] !== "function");
    if (missing.length === 0) return undefined;
    return fault(
      what,
      value,
      "",
      `It lacks the method${missing.length === 1 ? "" : "s"} ${missing.join(", ")}.`,
    );
  };
}

/** The first item that a check refuses, with its index as the place. */
export function firstFault(list: readonly unknown[], check: Check): Fault | undefined {
  for (const [index, item] of list.entries()) {
    const inner = check(item);
    if (inner !== undefined) return { ...inner, at: `[${index}]${inner.at}` };
  }
  return undefined;
}
