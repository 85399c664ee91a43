import { MAX_BRACE_WORDS, MAX_VALUE } from "../limits.ts";

/**
 * Expands the brace lists of a word's written text, quotes kept, the way bash does it before
 * anything else. `undefined`: too many words, or a form that is not surely understood.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  if (text.length > MAX_VALUE) return undefined;
  const budget = { left: MAX_BRACE_WORDS * 4 };
  const words = expand(text, budget);
  // A word of nothing, not even quotes, is none.
  return words !== undefined && words.length <= MAX_BRACE_WORDS
    ? words.filter((word) => word !== "")
    : undefined;
}

function expand(text: string, budget: { left: number }): string[] | undefined {
  budget.left -= 1;
  if (budget.left < 0) return undefined;
  const open = nextUnquoted(text, 0, "{");
  if (open < 0) return [text];
  const close = matching(text, open);
  if (close < 0) return undefined;
  const items = splitItems(text.slice(open + 1, close)) ?? range(text.slice(open + 1, close));
  if (items === undefined) {
    // Not a list: bash leaves the brace as it stands and looks further.
    const inner = text.slice(open + 1, close);
    if (/[,]|\.\./.test(inner)) return undefined;
    const rest = expand(text.slice(close + 1), budget);
    return rest?.map((tail) => text.slice(0, close + 1) + tail);
  }
  const tails = expand(text.slice(close + 1), budget);
  if (tails === undefined) return undefined;
  const head = text.slice(0, open);
  const words: string[] = [];
  for (const item of items) {
    const inner = expand(item, budget);
    if (inner === undefined) return undefined;
    for (const middle of inner) {
      for (const tail of tails) {
        words.push(head + middle + tail);
        if (words.length > MAX_BRACE_WORDS) return undefined;
      }
    }
  }
  return words;
}

function splitItems(inner: string): string[] | undefined {
  const items: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const skipped = skipQuoted(inner, at);
    if (skipped > at) {
      at = skipped - 1;
      continue;
    }
    const c = inner[at];
    if (c === "{") depth += 1;
    else if (c === "}") depth -= 1;
    else if (c === "," && depth === 0) {
      items.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  if (items.length === 0) return undefined;
  items.push(inner.slice(start));
  return items;
}

function range(inner: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(inner);
  if (numbers?.[1] === undefined || numbers[2] === undefined) {
    const letters = /^([a-z])\.\.([a-z])$|^([A-Z])\.\.([A-Z])$/.exec(inner);
    if (letters === null) return undefined;
    const codes = sequence(
      (letters[1] ?? letters[3] ?? "").charCodeAt(0),
      (letters[2] ?? letters[4] ?? "").charCodeAt(0),
    );
    return codes?.map((code) => String.fromCharCode(code));
  }
  // Zero-padded ranges keep their width; they are rare, so they stay unknown.
  if (/^-?0\d/.test(numbers[1]) || /^-?0\d/.test(numbers[2])) return undefined;
  return sequence(Number(numbers[1]), Number(numbers[2]))?.map(String);
}

function sequence(from: number, to: number): number[] | undefined {
  const count = Math.abs(to - from) + 1;
  if (count > MAX_BRACE_WORDS) return undefined;
  const step = to < from ? -1 : 1;
  return Array.from({ length: count }, (_, index) => from + index * step);
}

function nextUnquoted(text: string, from: number, wanted: string): number {
  for (let at = from; at < text.length; at += 1) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) at = skipped - 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function matching(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) {
      at = skipped - 1;
      continue;
    }
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** The place after a quoted piece that starts at `at`, or `at` itself. */
function skipQuoted(text: string, at: number): number {
  const c = text[at];
  if (c === "\\") return Math.min(text.length, at + 2);
  if (c === "'") {
    const end = text.indexOf("'", at + 1);
    return end < 0 ? text.length : end + 1;
  }
  if (c !== '"') return at;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === '"') return end + 1;
  }
  return text.length;
}

/** Decodes text that holds only quotes and backslashes. */
export function unquote(text: string): string {
  if (!/[\\'"]/.test(text)) return text;
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    const end = skipQuoted(text, at);
    if (end === at) {
      out += c;
      continue;
    }
    if (c === "\\") out += text[at + 1] === "\n" ? "" : text.slice(at + 1, end);
    else if (c === "'") out += text.slice(at + 1, end - 1);
    else
      out += text
        .slice(at + 1, end - 1)
        .replace(/\\([$`"\\\n])/g, (_, kept: string) => (kept === "\n" ? "" : kept));
    at = end - 1;
  }
  return out;
}
