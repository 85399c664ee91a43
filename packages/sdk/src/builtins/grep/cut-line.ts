import { cutAt } from "../../tools/index.ts";

const MOST_LINE_LENGTH = 500;
/** Shown before the match when a long line is cut. */
const LEAD = 80;

/** A long line around its first match. `at`: the UTF-16 offset where that begins. */
export function cutLine(text: string, at: number): string {
  if (text.length <= MOST_LINE_LENGTH) return text;
  const start = at > MOST_LINE_LENGTH - LEAD ? at - LEAD : 0;
  // A slice of a long text would keep all of it in memory.
  const near = detached(text.slice(start, start + MOST_LINE_LENGTH + 1).replace(/^[\udc00-\udfff]/, ""));
  const kept = cutAt(near, MOST_LINE_LENGTH);
  return `${start > 0 ? "…" : ""}${kept}${start + kept.length < text.length ? "… [line cut]" : ""}`;
}

/** The beginning of each line of a matching part. */
export function cutPart(part: string): string {
  if (part.length <= MOST_LINE_LENGTH) return part;
  const lines = part.split("\n").map((line) => cutAt(line, MOST_LINE_LENGTH));
  return detached(lines.join("\n"));
}

const detached = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
