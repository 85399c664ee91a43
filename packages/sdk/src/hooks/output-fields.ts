// Reading fields of what user code returned, and words for what is wrong with them.

/** What a callback returned is no answer; `message` says why. It leaves the reading as a failure. */
export class Malformed extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

interface Kinds {
  readonly boolean: boolean;
  readonly string: string;
}

/** A field that may be missing, but not of another type. */
export function optional<K extends keyof Kinds>(from: Fields, key: string, kind: K): Kinds[K] | undefined {
  const value = from[key];
  if (value === undefined) return undefined;
  if (typeof value !== kind) throw new Malformed(`"${key}" is ${describe(value)}; give a ${kind}`);
  return value as Kinds[K];
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
