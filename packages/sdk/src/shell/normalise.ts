const TAB = 9;
const NEWLINE = 10;
const SPACE = 32;
const HASH = 35;

/** Only blanks, tabs, newlines and comments. A no-break space is a word. */
export function isBlank(line: string): boolean {
  let comment = false;
  for (let at = 0; at < line.length; at += 1) {
    const c = line.charCodeAt(at);
    if (c === NEWLINE) comment = false;
    else if (c === HASH) comment = true;
    else if (c !== SPACE && c !== TAB && !comment) return false;
  }
  return true;
}

/** Printable ASCII without a backslash, and no two blanks side by side: nothing to find or to make one. */
export function isPlainLine(line: string): boolean {
  let before = 0;
  for (let at = 0; at < line.length; at += 1) {
    const c = line.charCodeAt(at);
    if (c < SPACE || c >= DELETE || c === BACKSLASH || (c === SPACE && before === SPACE)) return false;
    before = c;
  }
  return true;
}

const BACKSLASH = 92;
const DELETE = 127;

function trimBlanks(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isWhite(line.charCodeAt(start))) start += 1;
  while (end > start && isWhite(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isWhite(c: number): boolean {
  return c === SPACE || c === TAB || c === NEWLINE;
}

/**
 * The whole line with runs of blanks outside quotes made one. Lines with here-documents, substitutions or
 * comments stay as they are: there it is not worth telling what is quoted.
 */
export function normaliseLine(line: string): string {
  const trimmed = trimBlanks(line);
  // Most lines have nothing to make one.
  if (!/[\t\n\\]| {2}/.test(trimmed) || /<<|[`#]|\$[({[']/.test(trimmed)) return trimmed;
  let out = "";
  let quote = "";
  let gap = "";
  for (let at = 0; at < trimmed.length; at += 1) {
    const c = trimmed[at] ?? "";
    if (quote === "" && (c === " " || c === "\t" || c === "\n")) {
      gap = c === "\n" || gap === "\n" ? "\n" : " ";
      continue;
    }
    if (gap !== "") {
      // After an operator a newline is only a blank.
      out += gap === "\n" && !/[&|]$/.test(out) ? "\n" : " ";
      gap = "";
    }
    if (c === "\\" && quote !== "'") {
      const next = trimmed[at + 1] ?? "";
      if (next !== "\n") out += c + next;
      at += 1;
      continue;
    }
    if (quote === "" && (c === "'" || c === '"')) quote = c;
    else if (c === quote) quote = "";
    out += c;
  }
  return out;
}
