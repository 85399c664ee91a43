import { printable } from "./safe-text.ts";

const ZERO = /[\p{Mn}\p{Me}\u{200c}\u{200d}]/u;
const WIDE =
  /[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** How many columns of a terminal a text takes, control characters aside. */
export function columnsOf(text: string): number {
  let sum = 0;
  for (const character of text) sum += width(character);
  return sum;
}

function width(character: string): number {
  if (character < "\u{300}") return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Text of any origin on one line of at most `columns`; what does not fit ends in an ellipsis. */
export function oneLine(text: string, columns: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  if (columnsOf(line) <= columns) return line;
  return `${head(line, Math.max(1, columns - 1))}…`;
}

/** A text padded with spaces to `columns`. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Text of any origin in lines of at most `columns`, broken at spaces, and inside a word only where it must be. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of printable(text).replace(/\t/g, "  ").split("\n")) {
    let rest = paragraph;
    while (columnsOf(rest) > columns) {
      const most = head(rest, columns);
      const space = rest[most.length] === " " ? most.length : most.lastIndexOf(" ");
      // A break in leading white space would only lose the indent.
      const end = most.slice(0, Math.max(0, space)).trim() === "" ? most.length : space;
      lines.push(rest.slice(0, end).trimEnd());
      rest = rest.slice(end).trimStart();
    }
    lines.push(rest);
  }
  return lines;
}

/** The longest beginning of at most `columns`, and never nothing. */
function head(text: string, columns: number): string {
  let sum = 0;
  let end = 0;
  for (const character of text) {
    sum += width(character);
    if (sum > columns && end > 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
