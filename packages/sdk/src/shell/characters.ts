/**
 * Two noncharacters stand for the home and for the working directory inside decoded words,
 * so that a quoted `~` is never taken for the home. A line that holds one is opaque.
 */
export const HOME_MARK = "\uFDD0";
export const DIRECTORY_MARK = "\uFDD1";

const MARKS = /[\uFDD0\uFDD1]/;

/** Control characters (C0 but tab and newline, DEL, C1), bidi controls and our own marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef]/;

export function findControl(text: string): string | undefined {
  const found = CONTROL.exec(text);
  if (found === null) return undefined;
  return text.slice(Math.max(0, found.index - 20), found.index + 20);
}

/** A decoded value as a person and a rule spell it: the home is `~`, the working directory is `.`. */
export function spelled(value: string): string {
  return MARKS.test(value) ? value.replaceAll(HOME_MARK, "~").replaceAll(DIRECTORY_MARK, ".") : value;
}

/** The same with the variables written out, the other way a rule may spell it. */
export function spelledWithVariables(value: string): string {
  return MARKS.test(value) ? value.replaceAll(HOME_MARK, "$HOME").replaceAll(DIRECTORY_MARK, "$PWD") : value;
}

export function hasMark(value: string): boolean {
  return MARKS.test(value);
}
