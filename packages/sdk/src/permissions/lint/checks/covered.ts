import { type Finding, findingOf, placeOf } from "../../policy/finding.ts";
import type { WorldCheck } from "../check.ts";
import type { CoverIndex } from "../cover/cover.ts";
import { coverIndex } from "../cover/cover-index.ts";
import { readPatterns } from "../cover/read-patterns.ts";
import type { Subject } from "../subject.ts";

/** Allow rules that a deny or ask rule outdoes, and rules that another of the same list makes needless. */
export const coveredRules: WorldCheck = ({ subjects, context }) => {
  const by = (behavior: string): Subject[] => subjects.filter(({ rule }) => rule.behavior === behavior);
  const lists = { deny: by("deny"), ask: by("ask"), allow: by("allow") };
  const binding = readPatterns(context, true);
  const indexes = {
    deny: coverIndex(lists.deny, binding, true),
    ask: coverIndex(lists.ask, binding, true),
    allow: coverIndex(lists.allow, readPatterns(context, false), false),
  };
  return [
    ...lists.allow.flatMap((subject) => shadowed(subject, indexes.deny, indexes.ask)),
    ...(["deny", "ask", "allow"] as const).flatMap((list) =>
      lists[list].flatMap((subject) => redundant(subject, indexes[list])),
    ),
  ];
};

function shadowed(subject: Subject, deny: CoverIndex, ask: CoverIndex): Finding[] {
  const wider = deny.cover(subject) ?? ask.cover(subject);
  // The same text in two lists is told by another check.
  if (wider === undefined || wider.rule.text === subject.rule.text) return [];
  const asks = wider.rule.behavior === "ask";
  const effect = asks ? "every such call is asked about" : "no such call gets through";
  const message = `${wider.rule.text} (${wider.rule.behavior}, ${placeOf(wider.rule)}) goes first: ${effect}.`;
  const fix = `Narrow that rule, or take this one out.`;
  return [findingOf(subject.rule, "shadowed", message, { fix })];
}

function redundant(subject: Subject, index: CoverIndex): Finding[] {
  const wider = index.cover(subject);
  // A rule that ends one day replaces none that stays.
  if (wider === undefined || wider.rule.expires !== undefined) return [];
  const message = `${wider.rule.text} (${placeOf(wider.rule)}) covers it.`;
  return [findingOf(subject.rule, "redundant", message, { fix: "Take it out, or narrow the other one." })];
}
