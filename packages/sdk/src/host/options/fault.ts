import { CastellanError } from "../../protocol/index.ts";

/** Why a value is not acceptable: what was expected, and where inside the value it is wrong. */
export interface Fault {
  /** Behind the option's name: `[2]`, `.permissions.allow[0]`, or empty. */
  readonly at: string;
  /** What it must be, as a noun. */
  readonly expected: string;
  /** The value as the message shows it. */
  readonly got: string;
  /** What to write instead, where that can be told. */
  readonly fix?: string;
}

/** Undefined when the value is good. `all`: every option as it was given, not checked yet. */
export type Check = (value: unknown, all?: Readonly<Record<string, unknown>>) => Fault | undefined;

export function fault(expected: string, got: unknown, at = "", fix?: string): Fault {
  return { at, expected, got: shown(got), ...(fix === undefined ? {} : { fix }) };
}

/** A fault as the error that names the place, the value and the fix. `root` is `options` or what else was checked; empty for an argument. */
export function faultError(root: string, key: string, { at, expected, got, fix }: Fault): CastellanError {
  const must = `It must be ${expected}.`;
  const place = root === "" ? key : `${root}.${key}`;
  return badOption(key, `${place}${at} is ${got}.`, fix === undefined ? must : `${must} ${fix}`);
}

export function badOption(subject: string, message: string, fix: string): CastellanError {
  return new CastellanError("invalid_option", message, { subject, fix });
}

const MOST_SHOWN = 60;

/** A value as an error message shows it: short, on one line, and never throwing. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN - 3)}...` : value);
    case "function":
      return "a function";
    case "symbol":
    case "bigint":
      return `${typeof value} ${String(value)}`;
    case "object":
      if (value === null) return "null";
      if (!Array.isArray(value)) return "an object";
      return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
    default:
      return String(value);
  }
}
