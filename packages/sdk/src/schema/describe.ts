import { CastellanError } from "../protocol/index.ts";
import type { Described, ShorthandType } from "./shorthand-types.ts";

const DESCRIBED: unique symbol = Symbol.for("castellan.described") as never;

/**
 * A shorthand type with a description that the model reads: `{ city: describe("string", "Name of a city") }`.
 *
 * @param type a word, a list `[word]`, a nested map, or a Standard Schema.
 * @param options.optional makes a list or a nested map optional; a word says it with `?`.
 * @throws CastellanError `invalid_schema` when the text is blank.
 */
export function describe<const T extends ShorthandType, const O extends boolean = false>(
  type: T,
  text: string,
  options: { readonly optional?: O | undefined } = {},
): Described<T, O> {
  if (typeof text !== "string" || text.trim() === "") {
    throw new CastellanError("invalid_schema", "describe(type, text): the text is blank.", {
      fix: "Say in a few words what the value means.",
    });
  }
  const described = { type, text, optional: (options.optional === true) as O };
  Object.defineProperty(described, DESCRIBED, { value: true });
  return described;
}

/** Whether a value was made by `describe()` of any copy of this package. */
export function isDescribed(value: unknown): value is Described {
  return (
    typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[DESCRIBED] === true
  );
}
