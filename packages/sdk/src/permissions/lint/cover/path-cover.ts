import { listAt } from "../../policy/list-at.ts";
import { coversDescribed } from "../../rule/path-match.ts";
import type { PathPattern } from "../../rule/path-pattern.ts";
import type { Segment } from "../../rule/segment.ts";
import type { Subject } from "../subject.ts";
import { type CoverIndex, MOST_CANDIDATES } from "./cover.ts";
import type { Patterns } from "./read-patterns.ts";

interface Entry {
  readonly subject: Subject;
  readonly pattern: PathPattern;
}

/**
 * Rules for paths: under the literal directories that they start with, and those that start anywhere under the first
 * literal name that they hold.
 */
export function pathCover(subjects: readonly Subject[], patterns: Patterns): CoverIndex {
  const byKey = new Map<string, Entry[]>();
  for (const subject of subjects) {
    const pattern = patterns.path(subject);
    if (pattern === undefined) continue;
    for (const list of pattern.lists) {
      const key = `${subject.family} ${keyOf(list)}`;
      const entries = listAt(byKey, key);
      if (entries.length < MOST_CANDIDATES) entries.push({ subject, pattern });
    }
  }
  return {
    cover(subject) {
      const own = byKey.size === 0 ? undefined : patterns.path(subject);
      if (own === undefined) return undefined;
      for (const key of new Set(own.lists.flatMap(keysAbove))) {
        const found = byKey
          .get(`${subject.family} ${key}`)
          ?.find(
            (entry) =>
              isOther(entry.subject, subject) &&
              own.lists.every((list) => coversDescribed(entry.pattern, list)),
          );
        if (found !== undefined) return found.subject;
      }
      return undefined;
    },
  };
}

function isOther(a: Subject, b: Subject): boolean {
  return a !== b && a.specifier !== b.specifier;
}

/** `/a/b/*.c` stands under `/a/b`, `**` and `.env` under `…/.env`, `*.pem` under `…`. */
function keyOf(list: readonly Segment[]): string {
  const solid = list.findIndex((segment) => segment.kind !== "literal");
  const end = solid < 0 ? list.length : solid;
  if (end > 0) return pathText(list.slice(0, end));
  const name = list.find((segment) => segment.kind === "literal");
  return name?.kind === "literal" ? `…/${name.text}` : "…";
}

function keysAbove(list: readonly Segment[]): string[] {
  const keys = ["…"];
  const literals: Segment[] = [];
  let leading = true;
  for (const segment of list) {
    if (segment.kind !== "literal") {
      leading = false;
      continue;
    }
    keys.push(`…/${segment.text}`);
    if (leading) {
      literals.push(segment);
      keys.push(pathText(literals));
    }
  }
  return keys;
}

function pathText(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment.kind === "literal" ? `/${segment.text}` : "")).join("");
}
