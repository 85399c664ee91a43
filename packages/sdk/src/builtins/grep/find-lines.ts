import type { CompiledPattern, Match } from "./compile-pattern.ts";
import { cutLine, cutPart } from "./cut-line.ts";
import type { FileHits, HitLine } from "./search-types.ts";

type Pattern = CompiledPattern & { ok: true };

export interface LineOptions {
  readonly multiline: boolean;
  readonly before: number;
  readonly after: number;
  /** Without it only the count is wanted. */
  readonly withLines: boolean;
}

interface MarkedLine {
  readonly index: number;
  readonly at: number;
  readonly parts: readonly string[];
}

/** The matches in one file's text, with `\n` as its only line end. */
export function findLines(
  text: string,
  pattern: Pattern,
  options: LineOptions,
): Pick<FileHits, "count" | "lines"> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const { count, marked } = options.multiline ? across(text, lines, pattern) : within(lines, pattern);
  return { count, lines: options.withLines ? withContext(lines, marked, options) : [] };
}

function within(lines: readonly string[], pattern: Pattern): { count: number; marked: MarkedLine[] } {
  const marked: MarkedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const found = pattern.find(line);
    const [first] = found;
    if (first === undefined) continue;
    const parts = found.filter(notEmpty).map(({ start, end }) => line.slice(start, end));
    marked.push({ index, at: first.start, parts });
  }
  return { count: marked.length, marked };
}

/** A match may span lines: every line that it touches counts as found. */
function across(
  text: string,
  lines: readonly string[],
  pattern: Pattern,
): { count: number; marked: MarkedLine[] } {
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + 1;
  }
  const marked = new Map<number, { index: number; at: number; parts: string[] }>();
  const found = pattern.find(text).filter(({ start }) => start < text.length);
  let line = 0;
  for (const match of found) {
    while (line + 1 < starts.length && (starts[line + 1] ?? 0) <= match.start) line += 1;
    const start = starts[line] ?? 0;
    const own = marked.get(line) ?? { index: line, at: match.start - start, parts: [] };
    if (notEmpty(match)) own.parts.push(text.slice(match.start, match.end));
    marked.set(line, own);
    for (let next = line + 1; next < starts.length && (starts[next] ?? 0) < match.end; next++) {
      if (!marked.has(next)) marked.set(next, { index: next, at: 0, parts: [] });
    }
  }
  return { count: found.length, marked: [...marked.values()].sort((a, b) => a.index - b.index) };
}

function withContext(
  lines: readonly string[],
  marked: readonly MarkedLine[],
  { before, after }: LineOptions,
): HitLine[] {
  const found = new Map(marked.map((each) => [each.index, each]));
  const hits: HitLine[] = [];
  let next = 0;
  for (const { index } of marked) {
    const last = Math.min(lines.length - 1, index + after);
    // What stands around two matches is taken once.
    for (next = Math.max(next, index - before); next <= last; next++) {
      const { at, parts } = found.get(next) ?? { at: 0, parts: [] };
      const text = cutLine(lines[next] ?? "", at);
      hits.push({ number: next + 1, text, isMatch: found.has(next), parts: parts.map(cutPart) });
    }
  }
  return hits;
}

const notEmpty = ({ start, end }: Match): boolean => end > start;
