import type { RuleBehavior, RuleSource, SourcedRule } from "../../protocol/index.ts";

/**
 * The rules of one list of an option or a settings file. A string that joins several with commas is
 * split at the commas outside brackets; positions are those of the list's entries, from 1.
 */
export function parseRuleList(
  value: readonly string[],
  behavior: RuleBehavior,
  source: RuleSource,
  file?: string,
): SourcedRule[] {
  return value.flatMap((entry, index) =>
    splitAtCommas(entry).map((text): SourcedRule => {
      const rule = { text, behavior, source, position: index + 1 };
      return file === undefined ? rule : { ...rule, file };
    }),
  );
}

function splitAtCommas(entry: string): string[] {
  if (!entry.includes(",")) return [entry];
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < entry.length; index += 1) {
    const char = entry[index];
    if (char === "\\") index += 1;
    else if (char === "(") depth += 1;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (char === "," && depth === 0) {
      parts.push(entry.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(entry.slice(start));
  if (parts.length === 1) return parts;
  const trimmed = parts.map((part) => part.trim()).filter((part) => part !== "");
  // What cannot be split cleanly stays one text, so that it is reported as it was written.
  return depth === 0 ? trimmed : [entry];
}
