import { decodeText } from "../files/decode-text.ts";

/** Lines that a change adds and takes away. */
export interface LineCount {
  readonly insertions: number;
  readonly deletions: number;
}

const NONE: LineCount = { insertions: 0, deletions: 0 };
/** Beyond this a comparison line by line costs more than it tells. */
const MOST_EDITS = 4_000;
const MOST_MS = 1_000;

/** The difference of two files; bytes that are no text count as no lines. */
export async function countLines(from: Uint8Array, to: Uint8Array): Promise<LineCount> {
  const [before, after] = [decodeText(from)?.text, decodeText(to)?.text];
  if (before === undefined || after === undefined) return NONE;
  const { structuredPatch } = await import("diff");
  const limits = { context: 0, maxEditLength: MOST_EDITS, timeout: MOST_MS };
  const patch = structuredPatch("a", "b", before, after, undefined, undefined, limits);
  if (patch === undefined) return { insertions: linesIn(after), deletions: linesIn(before) };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    insertions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  };
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
