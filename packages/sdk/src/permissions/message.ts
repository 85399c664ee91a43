import type { ToolFacts } from "./call.ts";
import { matchedRule } from "./policy/bound-rule.ts";
import { reasonText, ruleText } from "./reason-text.ts";
import type { Outcome } from "./steps/outcome.ts";

const PLAN_EXIT =
  "Go on with reading, finish the plan and present it with ExitPlanMode; the user may also leave plan mode.";

/**
 * The text of a decision for a model or a person.
 *
 * @param asked the outcome before the mode turned an ask into a deny; else the same as `final`.
 */
export function messageOf(tool: ToolFacts, final: Outcome, asked: Outcome): string {
  const why = whyOf(asked);
  const own = asked.rule?.reason === undefined ? "" : ` ${asked.rule.reason}`;
  if (final.behavior === "allow") return `${tool.name} is allowed: ${why}${own}`;
  if (final.behavior === "ask") {
    const undone = tool.destructive ? " It cannot be undone." : "";
    return `${tool.name} needs an approval: ${why}${own}${undone}`;
  }
  if (final !== asked) {
    const { reason } = final;
    const asksNobody = reason.type === "settings" ? reason.detail : "the mode dontAsk asks nobody.";
    return `${tool.name} is denied: ${asksNobody} ${why}${own}`;
  }
  const exit = final.reason.type === "planCeiling" ? ` ${PLAN_EXIT}` : "";
  return `${tool.name} is denied: ${why}${own}${exit}`;
}

function whyOf({ reason, rule, behavior }: Outcome): string {
  if (reason.type === "workingDirectory") {
    return behavior === "allow"
      ? `\`${reason.path}\` lies in a working directory.`
      : `\`${reason.path}\` lies outside the working directories, and no rule allows it.`;
  }
  const text = reasonText(reason);
  // A rule that only might bind is no part of the reason, but the reader needs to know which one it is.
  return reason.type === "opaque" && rule !== undefined
    ? `${text} ${ruleText(matchedRule(rule))} might bind it.`
    : text;
}
