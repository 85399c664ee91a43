import type { WrapperEntry } from "../known/wrappers.ts";
import { namesOf, pathOptions } from "../table-text.ts";

/** One option of a wrapper, as its table reads it. */
export interface ReadOption {
  readonly name: string;
  readonly attached: string | undefined;
  readonly takesNext: boolean;
  readonly isKnown: boolean;
  /** A letter before it, of the same word, makes the command start somewhere else: `sudo -iu user`. */
  readonly moved?: true;
}

/** Reads a word that starts with a dash. */
export function readOption(entry: WrapperEntry, text: string): ReadOption {
  const has = (names: string | undefined, name: string): boolean => namesOf(names).includes(name);
  const paths = pathOptions(entry.paths);
  const isLine = (name: string): boolean => has(entry.lineOptions, name);
  if (text.startsWith("--")) {
    const equals = text.indexOf("=");
    const name = fullName(entry, equals < 0 ? text : text.slice(0, equals));
    const attached = equals < 0 ? undefined : text.slice(equals + 1);
    const valued = has(entry.longValued, name.slice(2)) || isLine(name) || paths.has(name);
    const isKnown = valued || has(entry.long, name.slice(2));
    return { name, attached, takesNext: valued && attached === undefined && !isLine(name), isKnown };
  }
  if (entry.digits === true && /^-\d+$/.test(text))
    return { name: text, attached: undefined, takesNext: false, isKnown: true };
  let moved: { readonly moved?: true } = {};
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    const name = `-${letter}`;
    if (isLine(name) || paths.has(name) || (entry.valued ?? "").includes(letter)) {
      const attached = text.slice(at + 1);
      const isAttached = attached !== "";
      return {
        name,
        attached: isAttached ? attached : undefined,
        takesNext: !isAttached && !isLine(name),
        isKnown: true,
        ...moved,
      };
    }
    if (!(entry.flags ?? "").includes(letter))
      return { name, attached: undefined, takesNext: false, isKnown: false, ...moved };
    if (has(entry.moves, name)) moved = { moved: true };
  }
  return { name: text, attached: undefined, takesNext: false, isKnown: true, ...moved };
}

/** The option that a shortened `--name` stands for, where it can be one with a command line or a value only. */
function fullName(entry: WrapperEntry, given: string): string {
  const taking = namesOf(entry.longValued).map((name) => `--${name}`);
  const files = [...pathOptions(entry.paths).keys()];
  const all = [
    ...files,
    ...namesOf(entry.lineOptions),
    ...taking,
    ...namesOf(entry.long).map((name) => `--${name}`),
  ];
  if (all.includes(given)) return given;
  return all.find((name) => name.startsWith(given)) ?? given;
}
