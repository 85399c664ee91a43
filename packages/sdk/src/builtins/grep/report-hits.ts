import type { JsonObject, ToolResult } from "../../protocol/index.ts";
import { textResult } from "../results.ts";
import { entriesOf, formatHits, type HitFormat } from "./format-hits.ts";
import { MOST_ENTRIES } from "./grep-schema.ts";
import { limitOf, numberOr } from "./search-request.ts";
import type { FileHits, GrepMode } from "./search-types.ts";

/** Characters of entries that one result takes. */
const MOST_CHARACTERS = 240_000;

/** The hits of one search, until there are enough. */
export interface Gathered {
  readonly hits: FileHits[];
  full: boolean;
  take(hits: FileHits): boolean;
}

export function gather(input: JsonObject, format: HitFormat): Gathered {
  const { offset, limit } = pageOf(input);
  let entries = 0;
  const gathered: Gathered = {
    hits: [],
    full: false,
    take(hits) {
      gathered.hits.push(hits);
      entries += format.mode === "content" ? entriesOf(hits, format) : 1;
      const most = format.mode === "content" ? offset + limit : MOST_ENTRIES;
      gathered.full = entries > most;
      return !gathered.full;
    },
  };
  return gathered;
}

function pageOf(input: JsonObject): { offset: number; limit: number } {
  return { offset: numberOr(input.offset, 0), limit: limitOf(input) };
}

/** The page of the hits that was asked for, and what is left out. */
export function report(
  gathered: Gathered,
  format: HitFormat,
  input: JsonObject,
  note: string | undefined,
): ToolResult {
  const entries = formatHits(gathered.hits, format);
  const { offset, limit } = pageOf(input);
  const shown = fitting(entries.slice(offset, offset + limit));
  const notes = note === undefined ? [] : [`(${note})`];
  const isWhole = shown.length === entries.length && !gathered.full;
  if (!isWhole) notes.push(restNote(offset, shown.length, entries.length, gathered.full, format.mode));
  const structuredContent = { mode: format.mode, shown: shown.length, files: gathered.hits.length };
  if (entries.length === 0) return textResult(["No matches.", ...notes].join("\n"), { structuredContent });
  return textResult([...shown, ...notes].join("\n"), { structuredContent });
}

function fitting(entries: readonly string[]): readonly string[] {
  let size = 0;
  const end = entries.findIndex((entry) => {
    size += entry.length + 1;
    return size > MOST_CHARACTERS;
  });
  return end === -1 ? entries : entries.slice(0, Math.max(1, end));
}

function restNote(offset: number, shown: number, all: number, isOpen: boolean, mode: GrepMode): string {
  const noun = mode === "content" ? "lines" : "files";
  const last = offset + shown;
  if (shown === 0) return `(Nothing at offset ${offset}: there are ${all} ${noun}.)`;
  const total = isOpen ? `more than ${last}` : String(all);
  const next = last < all || isOpen ? ` Go on with offset: ${last}, or narrow the search.` : "";
  return `(${noun} ${offset + 1} to ${last} of ${total} are shown.${next})`;
}
