import type { StandardSchemaV1 } from "@standard-schema/spec";

/** A shorthand type together with what it means. Made by `describe()`. */
export interface Described<T = unknown, O extends boolean = boolean> {
  readonly type: T;
  readonly text: string;
  readonly optional: O;
}

/** The words of a shorthand map. With `?` behind it, the key is optional. */
export type ShorthandWord = "string" | "integer" | "number" | "boolean" | "object";

/** One type of a shorthand map. `["string"]` is a list of strings, `["string?"]` an optional list of strings. */
export type ShorthandType =
  | ShorthandWord
  | `${ShorthandWord}?`
  | readonly [ShorthandType]
  | Described
  | StandardSchemaV1
  | { readonly [key: string]: unknown };

export const SHORTHAND_WORDS: ReadonlySet<string> = new Set([
  "string",
  "integer",
  "number",
  "boolean",
  "object",
]);
