import { join } from "node:path";
import { showPath } from "../search/show-name.ts";
import { comparePaths, type FileHits, type GrepMode, type HitLine } from "./search-types.ts";

export interface HitFormat {
  readonly mode: GrepMode;
  /** The directory below which the hits' paths lie, as the model named it. */
  readonly folder: string;
  readonly cwd: string;
  readonly numbers: boolean;
  readonly onlyMatching: boolean;
  readonly hasContext: boolean;
}

/** The entries of the result, in their final order: one a file, or one a line in content mode. */
export function formatHits(hits: readonly FileHits[], format: HitFormat): string[] {
  const ordered = [...hits].sort((a, b) => comparePaths(a.path, b.path));
  if (format.mode !== "content") {
    return ordered.map((each) => {
      const name = showPath(join(format.folder, each.path), format.cwd);
      return format.mode === "count" ? `${name}:${each.count}` : name;
    });
  }
  const entries: string[] = [];
  for (const each of ordered) {
    if (format.hasContext && entries.length > 0) entries.push("--");
    entries.push(...fileEntries(each, format));
  }
  return entries;
}

/** How many entries a file makes in content mode. */
export function entriesOf(hits: FileHits, format: HitFormat): number {
  return format.mode === "content" ? fileEntries(hits, format).length : 1;
}

function fileEntries(hits: FileHits, format: HitFormat): string[] {
  const name = showPath(join(format.folder, hits.path), format.cwd);
  if (format.onlyMatching) return hits.lines.flatMap((line) => partEntries(name, line, format));
  const entries: string[] = [];
  let last: number | undefined;
  for (const line of hits.lines) {
    if (format.hasContext && last !== undefined && line.number > last + 1) entries.push("--");
    last = line.number;
    entries.push(entry(name, line.number, line.isMatch ? ":" : "-", line.text, format));
  }
  return entries;
}

function partEntries(name: string, line: HitLine, format: HitFormat): string[] {
  return line.parts.flatMap((part) =>
    part
      .replace(/\r?\n$/, "")
      .split(/\r?\n/)
      .map((text, index) => entry(name, line.number + index, ":", text, format)),
  );
}

function entry(name: string, number: number, mark: string, text: string, format: HitFormat): string {
  return format.numbers ? `${name}${mark}${number}${mark}${text}` : `${name}${mark}${text}`;
}
