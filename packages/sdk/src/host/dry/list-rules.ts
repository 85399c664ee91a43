import { positionUnit } from "../../permissions/index.ts";
import type { RuleBehavior, SourcedRule } from "../../protocol/index.ts";
import { openCheck } from "./open-check.ts";
import type { CheckOptions, ListedRule, RuleListing } from "./types.ts";

const ORDER: readonly RuleBehavior[] = ["deny", "ask", "allow"];

/**
 * The rules that count under these options, each with the place where it is written, and what is wrong with them.
 *
 * Rejects as `check()` does.
 */
export async function listRules(options: CheckOptions = {}): Promise<RuleListing> {
  const { session, findings, now } = await openCheck(options);
  const { context } = session.policy.current();
  const rules = context.rules.map((rule) => listed(rule, now));
  return {
    mode: context.mode,
    trusted: context.trusted,
    projectRoot: context.projectRoot,
    additionalDirectories: [...context.additionalDirectories].map(([path, source]) => ({ path, source })),
    rules: ORDER.flatMap((behavior) => rules.filter((rule) => rule.behavior === behavior)),
    findings,
  };
}

function listed(rule: SourcedRule, now: number): ListedRule {
  const { text, behavior, source, file, position, reason, approver, expires } = rule;
  return {
    rule: text,
    behavior,
    source,
    ...(file === undefined ? {} : { file }),
    ...(position === undefined ? {} : { [positionUnit(file)]: position }),
    ...(reason === undefined ? {} : { reason }),
    ...(approver === undefined ? {} : { approver }),
    ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
    ...(expires !== undefined && now > expires ? { expired: true as const } : {}),
  };
}
