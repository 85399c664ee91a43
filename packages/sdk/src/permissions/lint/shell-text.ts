import type { Subject } from "./subject.ts";

/** The literal text of a Bash rule before its closing star, boundary taken off, and whether there is one. */
export function shellStart({ pieces, plain }: Subject): { readonly text: string; readonly open: boolean } {
  if (pieces.length < 2 || pieces[pieces.length - 1] !== "") return { text: plain, open: false };
  const text = plain.slice(0, -1);
  return { text: /[: ]$/u.test(text) ? text.slice(0, -1) : text, open: true };
}

/** Words at blanks, quotes kept together. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  for (const char of text) {
    if (quote === "" && (char === " " || char === "\t" || char === "\n")) {
      if (word !== "") words.push(word);
      word = "";
      continue;
    }
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    word += char;
  }
  if (word !== "") words.push(word);
  return words;
}

/** The quote that is still open at the end, or "". */
export function openQuote(text: string): string {
  let quote = "";
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? "";
    if (char === "\\" && quote !== "'") index += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
  }
  return quote;
}
