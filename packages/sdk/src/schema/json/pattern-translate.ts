/** A pattern in RE2's spelling, or the feature that RE2 does not have. */
export type Translation =
  | { readonly ok: true; readonly pattern: string }
  | { readonly ok: false; readonly feature: string };

// JavaScript's white space and line ends are wider than RE2's.
const SPACE =
  "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NOT_SPACE =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" +
  "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const DOT = "[^\\n\\r\\x{2028}\\x{2029}]";

const LONG_CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["Letter", "L"],
  ["Lowercase_Letter", "Ll"],
  ["Uppercase_Letter", "Lu"],
  ["Mark", "M"],
  ["Number", "N"],
  ["Decimal_Number", "Nd"],
  ["Punctuation", "P"],
  ["Symbol", "S"],
  ["Separator", "Z"],
]);

const GROUPS: readonly (readonly [string, string])[] = [
  ["(?=", "look-ahead"],
  ["(?!", "look-ahead"],
  ["(?<=", "look-behind"],
  ["(?<!", "look-behind"],
];

/** Rewrites a pattern that is well formed in JavaScript's Unicode mode so that RE2 means the same by it. */
export function translatePattern(source: string): Translation {
  let out = "";
  let inClass = false;
  for (let i = 0; i < source.length; ) {
    const rest = source.slice(i, i + 4);
    const char = source[i] ?? "";
    if (char === "\\") {
      const read = readEscape(source, i, inClass);
      if (typeof read === "string") return { ok: false, feature: read };
      out += read.text;
      i += read.length;
    } else if (inClass) {
      inClass = char !== "]";
      out += char === "[" ? "\\[" : char;
      i += 1;
    } else if (char === "[") {
      if (source.startsWith("[]", i)) {
        out += "[^\\x{0}-\\x{10ffff}]";
        i += 2;
      } else if (source.startsWith("[^]", i)) {
        out += "[\\x{0}-\\x{10ffff}]";
        i += 3;
      } else {
        inClass = true;
        out += char;
        i += 1;
      }
    } else if (char === "(") {
      const known = GROUPS.find(([start]) => rest.startsWith(start));
      if (known !== undefined) return { ok: false, feature: known[1] };
      const named = rest.startsWith("(?<");
      out += named ? "(?P<" : char;
      i += named ? 3 : 1;
    } else {
      out += char === "." ? DOT : char;
      i += 1;
    }
  }
  return { ok: true, pattern: out };
}

/** One escape as RE2 spells it, or the name of a feature that RE2 lacks. */
function readEscape(
  source: string,
  start: number,
  inClass: boolean,
): { readonly text: string; readonly length: number } | string {
  const char = source[start + 1] ?? "";
  if (/[1-9]/.test(char) || (char === "k" && !inClass)) return "a back-reference";
  if (char === "s") return { text: inClass ? SPACE : `[${SPACE}]`, length: 2 };
  if (char === "S") return { text: inClass ? NOT_SPACE : `[${NOT_SPACE}]`, length: 2 };
  if (char === "b" && inClass) return { text: "\\x{8}", length: 2 };
  if (char === "0") return { text: "\\x{0}", length: 2 };
  if (char === "c") return { text: hex((source.codePointAt(start + 2) ?? 0) % 32), length: 3 };
  if (char === "u" || char === "x") return readCodePoint(source, start);
  if (char === "p" || char === "P") return readProperty(source, start);
  return { text: source.slice(start, start + 2), length: 2 };
}

function readCodePoint(source: string, start: number): { readonly text: string; readonly length: number } {
  const [found, , braced, four, two] =
    /^\\(u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(source.slice(start, start + 14)) ?? [];
  let code = Number.parseInt(braced ?? four ?? two ?? "0", 16);
  let length = found?.length ?? 2;
  if (code >= 0xd800 && code <= 0xdbff) {
    const low = /^\\u(d[c-f][0-9a-f]{2})/i.exec(source.slice(start + length, start + length + 6))?.[1];
    if (low !== undefined) {
      code = (code - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00) + 0x10000;
      length += 6;
    }
  }
  return { text: hex(code), length };
}

function readProperty(
  source: string,
  start: number,
): { readonly text: string; readonly length: number } | string {
  const end = source.indexOf("}", start);
  const inner = source.slice(start + 3, end);
  const name = inner.replace(/^(Script|sc|Script_Extensions|scx|General_Category|gc)=/, "");
  const short = LONG_CATEGORIES.get(name) ?? name;
  if (name === inner && short.length > 2) return `the Unicode property ${inner}`;
  return { text: `${source.slice(start, start + 2)}{${short}}`, length: end + 1 - start };
}

function hex(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
