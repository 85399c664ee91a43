import type { MatchedRule, SourcedRule } from "../../protocol/index.ts";

/** A rule of the policy. Matchers of one family add what they compare. */
export interface BoundRule {
  readonly rule: SourcedRule;
}

/** Whether the rule still counts. A clock that tells nothing lapses an allow and keeps a deny or ask. */
export function isLive(bound: BoundRule, now: number): boolean {
  const { expires, behavior } = bound.rule;
  if (expires === undefined) return true;
  return behavior === "allow" ? now <= expires : !(now > expires);
}

/** The first of the list that still counts. */
export function firstLive<R extends BoundRule>(rules: readonly R[] | undefined, now: number): R | undefined {
  if (rules === undefined) return undefined;
  for (const rule of rules) if (isLive(rule, now)) return rule;
  return undefined;
}

/** What a decision tells about the rule that settled it. */
export function matchedRule(rule: SourcedRule): MatchedRule {
  const { text, behavior, source, file, position, reason, approver } = rule;
  return {
    text,
    behavior,
    source,
    ...(file === undefined ? {} : { file }),
    ...(position === undefined ? {} : { position }),
    ...(reason === undefined ? {} : { reason }),
    ...(approver === undefined ? {} : { approver }),
  };
}
