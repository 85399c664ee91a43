import { cutAt } from "../../tools/index.ts";
import { numberLine, splitLines } from "../files/number-lines.ts";
import { linesAt, type Region } from "./replace-text.ts";

const AROUND = 3;
const MOST_PLACES = 5;
const MOST_LINES_A_PLACE = 60;
const MOST_LINE_LENGTH = 500;

/** The lines of the new text around each change, numbered as Read numbers them. */
export function showChanges(text: string, regions: readonly Region[]): string {
  const lines = splitLines(text);
  const shown = regions.slice(0, MOST_PLACES);
  const starts = linesAt(
    text,
    shown.map((region) => region.start),
  );
  const ends = linesAt(
    text,
    shown.map((region) => Math.max(region.start, region.end - 1)),
  );
  const parts = shown.map((_, index) => part(lines, starts[index] ?? 1, ends[index] ?? 1));
  const more = regions.length - shown.length;
  if (more > 0) parts.push(`(${more} more ${more === 1 ? "place" : "places"} changed in the same way.)`);
  return parts.filter((each) => each !== "").join("\n…\n");
}

function part(lines: readonly string[], first: number, last: number): string {
  const from = Math.max(1, first - AROUND);
  const to = Math.min(lines.length, last + AROUND, from + MOST_LINES_A_PLACE - 1);
  const shown: string[] = [];
  for (let number = from; number <= to; number++) {
    shown.push(numberLine(number, cutAt(lines[number - 1] ?? "", MOST_LINE_LENGTH)));
  }
  const rest = Math.min(lines.length, last + AROUND) - to;
  if (rest > 0) shown.push(`(${rest} more changed lines.)`);
  return shown.join("\n");
}
