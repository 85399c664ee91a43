type Json = { [key: string]: unknown };

/** What one Zod schema says about its input, whatever release of Zod it comes from. */
export type ZodNode =
  | { readonly kind: "json"; readonly json: Json }
  | { readonly kind: "array"; readonly element: object; readonly json: Json }
  | {
      readonly kind: "object";
      readonly shape: { readonly [key: string]: object };
      /** What other keys may hold: a schema, nothing (`false`), or anything (`undefined`). */
      readonly rest: object | false | undefined;
    }
  | { readonly kind: "union"; readonly options: readonly object[] }
  | { readonly kind: "both"; readonly parts: readonly object[] }
  | { readonly kind: "tuple"; readonly items: readonly object[]; readonly rest: object | undefined }
  | { readonly kind: "record"; readonly key: object; readonly value: object }
  /** Another schema with something added. */
  | { readonly kind: "inner"; readonly inner: object; readonly json?: Json; readonly nullable?: true }
  /** Something that JSON cannot hold: a date, a Map. */
  | { readonly kind: "none"; readonly what: string };

/** Reads the schemas of one release of Zod. */
export interface ZodReader {
  node(schema: object): ZodNode;
  /** The key that holds this schema may be left out. */
  isOptional(schema: object): boolean;
  description(schema: object): string | undefined;
}

/** Formats of JSON Schema by the name that Zod gives them. Others are judged by Zod alone. */
export const ZOD_FORMATS: ReadonlyMap<string, string> = new Map([
  ["email", "email"],
  ["url", "uri"],
  ["uuid", "uuid"],
  ["guid", "uuid"],
  ["datetime", "date-time"],
  ["date", "date"],
  ["time", "time"],
  ["ipv4", "ipv4"],
  ["ipv6", "ipv6"],
]);

/** A literal value as a schema; undefined where it is none of JSON's. */
export function literals(values: readonly unknown[]): ZodNode {
  const plain = values.every(
    (value) => value === null || ["string", "number", "boolean"].includes(typeof value),
  );
  if (!plain) return { kind: "none", what: "a literal that is not JSON" };
  return { kind: "json", json: values.length === 1 ? { const: values[0] } : { enum: [...values] } };
}

/** The values of an enum object: numbers that stand for names are not among them. */
export function enumValues(entries: { readonly [key: string]: unknown }): ZodNode {
  const numbers = new Set(
    Object.values(entries)
      .filter((value) => typeof value === "number")
      .map(String),
  );
  const values = Object.entries(entries).flatMap(([key, value]) => (numbers.has(key) ? [] : [value]));
  const types = new Set(values.map((value) => typeof value));
  const type = types.size === 1 ? { type: [...types][0] } : {};
  return { kind: "json", json: { ...type, enum: values } };
}

/** A pattern whose meaning does not hang on flags. */
export function patternOf(regex: unknown): Json {
  return regex instanceof RegExp && regex.flags === "" ? { pattern: regex.source } : {};
}
