import { type Finding, findingOf, placeOf } from "../../policy/finding.ts";
import { listAt } from "../../policy/list-at.ts";
import type { WorldCheck } from "../check.ts";
import type { Subject } from "../subject.ts";

/** Which of two lists counts. */
const STRENGTH = { deny: 2, ask: 1, allow: 0 } as const;

/** The same rule twice: in one list, or in two. */
export const sameRule: WorldCheck = ({ subjects }) => {
  const byMeaning = new Map<string, Subject[]>();
  for (const subject of subjects) {
    listAt(byMeaning, meaningOf(subject)).push(subject);
  }
  return [...byMeaning.values()].flatMap((same) => (same.length < 2 ? [] : told(same)));
};

/** Each rule is told once, and against the one that outdoes it. */
function told(same: readonly Subject[]): Finding[] {
  const strongest = same.reduce((best, each) => (strength(each) > strength(best) ? each : best));
  const first = new Map<string, Subject>();
  return same.flatMap((subject): Finding[] => {
    const { rule } = subject;
    const twin = first.get(rule.behavior);
    if (twin === undefined) first.set(rule.behavior, subject);
    if (strength(subject) < strength(strongest)) {
      const message = `The same rule is in ${strongest.rule.behavior} (${placeOf(strongest.rule)}), which goes first: here it does nothing.`;
      return [findingOf(rule, "in-two-lists", message, { fix: "Take it out of one of the lists." })];
    }
    if (twin === undefined) return [];
    const message = `The same rule stands already in ${placeOf(twin.rule)}.`;
    return [findingOf(rule, "duplicate", message, { fix: "Take one of them out." })];
  });
}

function strength({ rule }: Subject): number {
  return STRENGTH[rule.behavior];
}

/** Rules with the same text for this mean the same. A rule that ends one day is another than one that does not. */
function meaningOf({ toolName, tool, family, specifier, rule }: Subject): string {
  const name = specifier === undefined ? toolName : family === "name" || family === "agent" ? tool : family;
  const anchor =
    family === "read" || family === "edit" ? anchorKey(rule.source, specifier, rule.slashRoot) : "";
  const text = family === "bash" ? (specifier ?? "").replace(/:\*$/u, " *") : (specifier ?? "");
  return JSON.stringify([name, specifier === undefined, text, anchor, rule.expires ?? null]);
}

/** `/x` means another place in files of another source. */
function anchorKey(source: string, specifier = "", slashRoot = ""): string {
  return /^\/[^/]/u.test(specifier) ? `${source} ${slashRoot}` : "";
}
