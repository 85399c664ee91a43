import { cutAt } from "../../tools/index.ts";
import { numberLine, splitLines } from "../files/number-lines.ts";

export interface Slice {
  /** First line, from 1. */
  readonly offset: number;
  /** Lines at most. */
  readonly limit: number;
}

export interface RenderedText {
  readonly text: string;
  /** Not every line, or not every line in full, is shown. */
  readonly partial: boolean;
}

export const MOST_LINES = 2_000;
export const MOST_LINE_LENGTH = 2_000;
/** The whole result stays below this, so that it is never cut in its middle. */
export const MOST_CHARACTERS = 240_000;

/** Numbered lines, and a note for everything that is left out. */
export function renderText(text: string, slice: Slice): RenderedText {
  const lines = splitLines(text);
  if (lines.length === 0) return { text: "(The file exists and is empty.)", partial: false };
  if (slice.offset > lines.length) {
    return {
      text: `(The file has ${count(lines.length, "line")}, so there is nothing at line ${slice.offset}.)`,
      partial: true,
    };
  }
  const shown: string[] = [];
  let size = 0;
  let cut = 0;
  const end = Math.min(lines.length, slice.offset - 1 + slice.limit);
  for (let index = slice.offset - 1; index < end; index++) {
    const line = lines[index] ?? "";
    if (line.length > MOST_LINE_LENGTH) cut += 1;
    const numbered = numberLine(index + 1, shorten(line));
    size += numbered.length + 1;
    if (size > MOST_CHARACTERS && shown.length > 0) break;
    shown.push(numbered);
  }
  const last = slice.offset - 1 + shown.length;
  const isWhole = slice.offset === 1 && last === lines.length;
  if (!isWhole) shown.push("", restNote(slice.offset, last, lines.length));
  if (cut > 0) shown.push("", `(${count(cut, "line")} longer than ${MOST_LINE_LENGTH} characters: cut.)`);
  return { text: shown.join("\n"), partial: !isWhole || cut > 0 };
}

function shorten(line: string): string {
  if (line.length <= MOST_LINE_LENGTH) return line;
  const kept = cutAt(line, MOST_LINE_LENGTH);
  return `${kept}… [${line.length - kept.length} more characters]`;
}

function restNote(first: number, last: number, all: number): string {
  const more = last < all ? ` Go on with offset: ${last + 1}.` : "";
  return `(Lines ${first} to ${last} of ${all} are shown.${more})`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
