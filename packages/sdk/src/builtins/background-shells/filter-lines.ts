import { compilePattern } from "../grep/compile-pattern.ts";

/** Characters that a filter looks through: the newest. */
export const MOST_FILTERED: number = 1024 * 1024;

export type LineFilter =
  | { readonly ok: true; keep(text: string): FilteredText }
  | { readonly ok: false; readonly text: string };

export interface FilteredText {
  readonly text: string;
  /** Lines that were passed over. */
  readonly passed: number;
  /** Characters in front that were not looked at. */
  readonly skipped: number;
}

/** Keeps the lines in which a pattern is found. Its time is bounded by pattern times text. */
export function lineFilter(pattern: string): LineFilter {
  const compiled = compilePattern(pattern, { ignoreCase: false, multiline: false });
  if (!compiled.ok) {
    return {
      ok: false,
      text: compiled.text.replace("The search failed: the pattern", "Nothing was read: the filter"),
    };
  }
  return {
    ok: true,
    keep(text) {
      const recent = text.slice(-MOST_FILTERED);
      const lines = recent.split("\n");
      // Behind the last line break no line begins.
      if (lines.at(-1) === "") lines.pop();
      const found = lines.filter((line) => compiled.find(line).length > 0);
      const kept = found.length === 0 ? "" : `${found.join("\n")}\n`;
      return { text: kept, passed: lines.length - found.length, skipped: text.length - recent.length };
    },
  };
}
