import { RE2JS } from "re2js";
import { errorText } from "../../protocol/index.ts";

export type CompiledPattern =
  | { readonly ok: true; find(text: string): Match[] }
  | { readonly ok: false; readonly text: string };

export interface Match {
  readonly start: number;
  readonly end: number;
}

/** A pattern for the built-in search. The engine takes linear time, whatever the pattern. */
export function compilePattern(
  pattern: string,
  options: { readonly ignoreCase: boolean; readonly multiline: boolean },
): CompiledPattern {
  const flags =
    RE2JS.MULTILINE |
    (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (options.multiline ? RE2JS.DOTALL : 0);
  try {
    const compiled = RE2JS.compile(withUnicodeClasses(pattern), flags);
    return { ok: true, find: (text) => allMatches(compiled, text) };
  } catch (error) {
    const why = errorText(error);
    return {
      ok: false,
      text: `The search failed: the pattern is not understood: ${why}\nEscape what is meant literally, such as \\{ or \\(.`,
    };
  }
}

function allMatches(compiled: RE2JS, text: string): Match[] {
  const matcher = compiled.matcher(text);
  const found: Match[] = [];
  while (matcher.find()) found.push({ start: matcher.start(), end: matcher.end() });
  return found;
}

const CLASSES: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  w: "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}",
  s: "\\t-\\r\\x{85}\\p{Z}",
};

/** `\d`, `\w` and `\s` stand for ASCII in RE2 and for Unicode in ripgrep: spelled out here. */
function withUnicodeClasses(pattern: string): string {
  let inClass = false;
  let out = "";
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] ?? "";
    if (character !== "\\") {
      if (character === "[" && !inClass) {
        inClass = true;
        // A bracket that closes nothing yet is a literal.
        const literal = /^\[\^?\]/.exec(pattern.slice(i))?.[0];
        if (literal !== undefined) {
          out += `${literal.slice(0, -1)}\\]`;
          i += literal.length - 1;
          continue;
        }
      } else if (character === "]") inClass = false;
      out += character;
      continue;
    }
    const letter = pattern[++i] ?? "";
    const members = CLASSES[letter.toLowerCase()];
    const isNegated = letter !== letter.toLowerCase();
    if (members === undefined || (inClass && isNegated)) out += `\\${letter}`;
    else out += inClass ? members : `[${isNegated ? "^" : ""}${members}]`;
  }
  return out;
}
