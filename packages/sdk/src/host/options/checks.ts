/** Why a value is not acceptable: what was expected, and where inside the value it is wrong. */
export interface Fault {
  /** Behind the option's name: `[2]`, `.permissions.allow[0]`, or empty. */
  readonly at: string;
  readonly expected: string;
  readonly got: unknown;
  readonly fix?: string;
}

export type Check = (value: unknown) => Fault | undefined;

const fault = (expected: string, got: unknown, at = "", fix?: string): Fault =>
  fix === undefined ? { at, expected, got } : { at, expected, got, fix };

export const text: Check = (value) =>
  typeof value === "string" && value.trim() !== "" ? undefined : fault("a non-empty string", value);

export const anyText: Check = (value) => (typeof value === "string" ? undefined : fault("a string", value));

export const flag: Check = (value) =>
  typeof value === "boolean" ? undefined : fault("true or false", value);

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
  return (value) =>
    typeof value === "string" && values.includes(value) ? undefined : fault(`one of ${list}`, value);
}

export const textList: Check = (value) => {
  if (!Array.isArray(value)) {
    const fix = typeof value === "string" ? `Write [${JSON.stringify(value)}].` : undefined;
    return fault("a list of strings", value, "", fix);
  }
  for (const [index, item] of value.entries()) {
    if (typeof item !== "string" || item.trim() === "")
      return fault("a non-empty string", item, `[${index}]`);
  }
  return undefined;
};

export function record(check: Check, what: string): Check {
  return (value) => {
    if (!isPlainObject(value)) return fault(what, value);
    for (const [key, item] of Object.entries(value)) {
      const inner = check(item);
      if (inner !== undefined) return { ...inner, at: `.${key}${inner.at}` };
    }
    return undefined;
  };
}

/** An object in which each key has a check of its own; other keys are faults. */
export function shape(fields: Readonly<Record<string, Check>>, what: string): Check {
  return (value) => {
    if (!isPlainObject(value)) return fault(what, value);
    for (const [key, item] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (check === undefined) {
        return { at: `.${key}`, expected: `one of the keys ${Object.keys(fields).join(", ")}`, got: key };
      }
      if (item === undefined) continue;
      const inner = check(item);
      if (inner !== undefined) return { ...inner, at: `.${key}${inner.at}` };
    }
    return undefined;
  };
}

export function methods(names: readonly string[], what: string): Check {
  return (value) => {
    if (typeof value !== "object" || value === null) return fault(what, value);
    const missing = names.filter((name) => typeof (value as Record<string, unknown>)[name] !== "function");
    return missing.length === 0 ? undefined : fault(`${what} (it lacks ${missing.join(", ")})`, value);
  };
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as an error message shows it: short, on one line, and never throwing. */
export function shown(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol" || typeof value === "bigint") return `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
