/**
 * What a terminal must not get from a model, tool or file: control characters (escape sequences begin with one),
 * and characters that turn, hide or join text (bidi marks, zero-width ones, tags, line separators).
 * Newline, tab and the two joiners that scripts and emoji need may pass.
 */
const UNSAFE = /(?![\n\t\u{200c}\u{200d}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of any origin, safe to print: what could act on the terminal or hide something is shown as �. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(UNSAFE, "\u{fffd}");
}

/** One line of JSON that is safe to print and loses nothing: what JSON.stringify leaves raw is escaped. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
