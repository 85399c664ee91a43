import { mainLineEnding, toUnixEndings, withEndings } from "../files/line-endings.ts";

/** A stretch of a text: UTF-16 offsets, `end` left out. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

export type Replaced =
  | {
      readonly kind: "replaced";
      readonly text: string;
      /** Where the new pieces stand in `text`, in order. */
      readonly regions: readonly Region[];
    }
  | { readonly kind: "none" }
  /** More than one place, and only one was asked for: their lines, from 1. Counted up to MOST_COUNTED. */
  | { readonly kind: "many"; readonly count: number; readonly lines: readonly number[] }
  /** More places than are changed in one call. */
  | { readonly kind: "too many" };

const MOST_LINES_NAMED = 10;
/** Overlapping places are counted one by one, which takes long in a long row of equal characters. */
export const MOST_COUNTED = 1_000;
/** Each place takes memory of its own. */
export const MOST_CHANGED = 200_000;

/**
 * Replaces `oldText` by `newText` and leaves every other character as it is.
 *
 * Line endings do not count in the search: `\n` in either text stands for whatever ends the lines
 * there, and a new line gets the ending of the lines that it replaces, or of the file. Without
 * `all` there must be exactly one place, overlapping ones counted.
 */
export function replaceText(text: string, oldText: string, newText: string, all: boolean): Replaced {
  const searched = toUnixEndings(text);
  const wanted = toUnixEndings(oldText);
  const found = places(searched, wanted, all);
  const [first] = found;
  if (first === undefined) return { kind: "none" };
  if (all && found.length > MOST_CHANGED) return { kind: "too many" };
  if (!all && found.length > 1) {
    const lines = linesAt(searched, found.slice(0, MOST_LINES_NAMED));
    return { kind: "many", count: found.length, lines };
  }
  const toRaw = rawOffsets(text, searched);
  return splice(
    text,
    found.map((start) => ({ start: toRaw(start), end: toRaw(start + wanted.length) })),
    newText,
  );
}

function places(text: string, wanted: string, all: boolean): number[] {
  const found: number[] = [];
  if (wanted === "") return found;
  const step = all ? wanted.length : 1;
  const most = all ? MOST_CHANGED + 1 : MOST_COUNTED;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) {
    found.push(at);
    if (found.length >= most) break;
  }
  return found;
}

/** The line, from 1, of each offset. The offsets ascend. */
export function linesAt(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return offsets.map((offset) => {
    for (let at = text.indexOf("\n", from); at !== -1 && at < offset; at = text.indexOf("\n", from)) {
      line += 1;
      from = at + 1;
    }
    return line;
  });
}

/** From an offset in the text without `\r` before `\n` to one in the text itself. Called with ascending offsets. */
function rawOffsets(text: string, searched: string): (offset: number) => number {
  if (text.length === searched.length) return (offset) => offset;
  let raw = 0;
  let unix = 0;
  return (offset) => {
    for (; unix < offset; unix++) raw += text[raw] === "\r" && text[raw + 1] === "\n" ? 2 : 1;
    return raw;
  };
}

function splice(text: string, found: readonly Region[], newText: string): Replaced {
  const main = mainLineEnding(text) ?? "\n";
  const pieces: string[] = [];
  const regions: Region[] = [];
  let length = 0;
  let last = 0;
  const push = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const { start, end } of found) {
    push(text.slice(last, start));
    const put = withEndings(newText, mainLineEnding(text.slice(start, end)) ?? main);
    regions.push({ start: length, end: length + put.length });
    push(put);
    last = end;
  }
  push(text.slice(last));
  return { kind: "replaced", text: pieces.join(""), regions };
}
