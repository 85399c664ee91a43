/** More alternatives than this are refused: each of them is compared with every path. */
export const MOST_ALTERNATIVES = 256;

/**
 * The alternatives that the braces of a pattern stand for: `{a,b}` and `{1..3}`, nested too. Braces
 * without a comma or range are plain text. Undefined when there are too many.
 */
export function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else {
      const { before, choices, after } = group;
      for (const choice of choices.toReversed()) open.push(before + choice + after);
    }
    if (done.length + open.length > MOST_ALTERNATIVES) return undefined;
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

function firstGroup(pattern: string): Group | undefined {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === "\\") start += 1;
    else if (pattern[start] === "{") {
      const group = groupAt(pattern, start);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

function groupAt(pattern: string, start: number): Group | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let i = start; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === "\\") i += 1;
    else if (character === "{") depth += 1;
    else if (character === "," && depth === 1) {
      parts.push(pattern.slice(from, i));
      from = i + 1;
    } else if (character === "}" && --depth === 0) {
      parts.push(pattern.slice(from, i));
      const choices = parts.length > 1 ? parts : range(parts[0] ?? "");
      return choices && { before: pattern.slice(0, start), choices, after: pattern.slice(i + 1) };
    }
  }
  return undefined;
}

function range(text: string): string[] | undefined {
  const match = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(text);
  if (match === null) return undefined;
  const first = Number(match[1]);
  const last = Number(match[2]);
  const count = Math.min(Math.abs(last - first), MOST_ALTERNATIVES) + 1;
  const step = first <= last ? 1 : -1;
  return Array.from({ length: count }, (_, index) => String(first + index * step));
}
