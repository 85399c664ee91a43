/** One word: what it says, and whether any of it was quoted. */
export interface PowerShellWord {
  readonly text: string;
  readonly quoted: boolean;
}

/** A command of a pipeline: its words, and whether it takes what another one gives. */
export interface PowerShellWords {
  readonly words: readonly PowerShellWord[];
  readonly piped: boolean;
}

/** Printable ASCII: beyond it there are quotes, dashes and blanks that PowerShell takes for the plain ones. */
const ASCII = /^[\t\x20-\x7e]*$/;
const PLAIN = /[A-Za-z0-9_./\\~+=:-]/;

/**
 * Splits a line of literal words, `;` and `|` only. Undefined for any other: variables, escapes, operators, arrays,
 * blocks, expressions, redirects, comments, patterns, and whatever is not ASCII.
 */
export function powerShellWords(line: string): readonly PowerShellWords[] | undefined {
  if (!ASCII.test(line)) return undefined;
  const commands: PowerShellWords[] = [];
  let words: PowerShellWord[] = [];
  let piped = false;
  for (let at = 0; at < line.length; ) {
    const c = line[at] ?? "";
    if (c === " " || c === "\t") {
      at += 1;
      continue;
    }
    if (c === ";" || c === "|") {
      if (words.length === 0) return undefined;
      commands.push({ words, piped });
      words = [];
      piped = c === "|";
      at += 1;
      continue;
    }
    const word = readWord(line, at);
    if (word === undefined) return undefined;
    words.push(word);
    at = word.end;
  }
  if (words.length > 0) commands.push({ words, piped });
  else if (piped) return undefined;
  return commands;
}

/** A word is quoted as a whole or not at all: parts side by side are more than one argument at times. */
function readWord(line: string, start: number): (PowerShellWord & { readonly end: number }) | undefined {
  const quote = line[start];
  let end = start;
  let text = "";
  if (quote === "'" || quote === '"') {
    const close = line.indexOf(quote, start + 1);
    if (close < 0) return undefined;
    text = line.slice(start + 1, close);
    if (quote === '"' && /[$`]/.test(text)) return undefined;
    end = close + 1;
  } else {
    while (end < line.length && PLAIN.test(line[end] ?? "")) end += 1;
    text = line.slice(start, end);
  }
  const next = line[end];
  if (next !== undefined && !" \t;|".includes(next)) return undefined;
  return end === start ? undefined : { text, quoted: quote === "'" || quote === '"', end };
}
