import type { Subject } from "../subject.ts";
import type { CoverIndex } from "./cover.ts";
import { nameCover } from "./name-cover.ts";
import { pathCover } from "./path-cover.ts";
import type { Patterns } from "./read-patterns.ts";
import { textCover } from "./text-cover.ts";

/** @param binds the list is deny or ask: rules are compared without case. */
export function coverIndex(subjects: readonly Subject[], patterns: Patterns, binds: boolean): CoverIndex {
  const parts = [nameCover(subjects), textCover(subjects, patterns, binds), pathCover(subjects, patterns)];
  return {
    cover(subject) {
      for (const part of parts) {
        const found = part.cover(subject);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
