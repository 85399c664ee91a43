import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Described } from "./describe.ts";

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
