import { listAt } from "../../policy/list-at.ts";
import { matchesStar } from "../../rule/star.ts";
import type { Subject } from "../subject.ts";
import { type CoverIndex, MOST_CANDIDATES } from "./cover.ts";
import type { Patterns, TextCase } from "./read-patterns.ts";

interface Entry {
  readonly subject: Subject;
  readonly pattern: TextCase;
}

/** Patterns by the text before their first star, and how long those texts are. */
interface Group {
  readonly byHead: Map<string, Entry[]>;
  readonly lengths: Set<number>;
}

/**
 * Rules for commands, skills and custom tools. A pattern covers another only if the other starts with the text before
 * its first star: rules stand under that text, by their first word, and are looked up by the beginnings of the other.
 *
 * @param binds tools are compared without case.
 */
export function textCover(subjects: readonly Subject[], patterns: Patterns, binds: boolean): CoverIndex {
  const groups = new Map<string, Group>();
  for (const subject of subjects) {
    const pattern = patterns.text(subject);
    const first = pattern?.alternatives[0];
    if (pattern === undefined || first === undefined) continue;
    // A text without a star covers no other text.
    if (pattern.alternatives.length === 1 && first.length === 1) continue;
    put(groups, `${subject.tool}(`, first[0] ?? "", first.length === 1, { subject, pattern });
  }
  return {
    cover(subject) {
      const own = groups.size === 0 ? undefined : patterns.text(subject);
      if (own === undefined) return undefined;
      const tool = `${binds ? subject.tool.toLowerCase() : subject.tool}(`;
      const head = own.alternatives[own.alternatives.length - 1]?.[0] ?? "";
      return findIn(groups.get(tool + wordOf(head)), head, own) ?? findIn(groups.get(tool), head, own);
    },
  };
}

function wordOf(head: string): string {
  const blank = head.indexOf(" ");
  return blank < 0 ? head : head.slice(0, blank);
}

/** A head that ends within its first word may start several words: it stands under none. */
function put(groups: Map<string, Group>, tool: string, head: string, whole: boolean, entry: Entry): void {
  const key = tool + (whole || head.includes(" ") ? wordOf(head) : "");
  const group = groups.get(key) ?? { byHead: new Map<string, Entry[]>(), lengths: new Set<number>() };
  groups.set(key, group);
  group.lengths.add(head.length);
  const list = listAt(group.byHead, head);
  if (list.length < MOST_CANDIDATES && list.every((each) => isOther(each.pattern, entry.pattern)))
    list.push(entry);
}

function findIn(group: Group | undefined, head: string, own: TextCase): Subject | undefined {
  if (group === undefined) return undefined;
  for (const length of group.lengths) {
    if (length > head.length) continue;
    const entries = group.byHead.get(head.slice(0, length));
    const found = entries?.find(({ pattern }) => isOther(pattern, own) && covers(pattern, own));
    if (found !== undefined) return found.subject;
  }
  return undefined;
}

/** Two spellings of one rule are told by another check. */
function isOther(a: TextCase, b: TextCase): boolean {
  return a.meaning !== b.meaning;
}

function covers(wide: TextCase, narrow: TextCase): boolean {
  return narrow.texts.every((text) => wide.alternatives.some((pieces) => matchesStar(pieces, text)));
}
