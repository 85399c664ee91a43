import { DIRECTORY_MARK, HOME_MARK, hasMark } from "./characters.ts";
import type { Decoded } from "./words/decoded.ts";

/**
 * How a decoded word becomes `ShellPath.path`. The encoding: a path that is `~` or starts with `~/`
 * means the home; a file that is really called `~` is written `./~`. `$PWD` becomes `.`.
 */
export function pathText(value: string): string | undefined {
  if (value.startsWith(HOME_MARK)) {
    const rest = value.slice(1);
    return (rest === "" || rest.startsWith("/")) && !hasMark(rest) ? `~${rest}` : undefined;
  }
  if (value.startsWith(DIRECTORY_MARK)) {
    const rest = value.slice(1);
    return (rest === "" || rest.startsWith("/")) && !hasMark(rest) ? `.${rest}` : undefined;
  }
  if (hasMark(value)) return undefined;
  return value.startsWith("~") ? `./${value}` : value;
}

/** The same of a word: most are plain. */
export function textOf(word: Decoded): string | undefined {
  if (word.plain || word.value === undefined) return word.value;
  return pathText(word.value);
}
