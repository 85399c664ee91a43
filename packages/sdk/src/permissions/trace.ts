import type { TraceStep } from "../protocol/index.ts";
import type { Facts } from "./facts/facts.ts";
import { ORDER } from "./order.ts";
import type { RuleSet } from "./policy/rule-set.ts";
import { reasonText } from "./reason-text.ts";
import type { Check, Outcome } from "./steps/outcome.ts";

/** The step that tells why no rule is offered. */
export const RULE_TO_OFFER = "a rule to offer";

/** Every check up to the one that settled the call, with what came of it. */
export function traceOf(
  facts: Facts,
  settledBy: Check,
  asked: Outcome,
  final: Outcome,
  noOffer: string | undefined,
): readonly TraceStep[] {
  const steps: TraceStep[] = [{ step: 0, check: "what is judged", outcome: "no", detail: overview(facts) }];
  for (const check of ORDER) {
    if (check === settledBy) break;
    steps.push({ step: check.step, check: check.name, outcome: "no", ...looked(check, facts) });
  }
  if (noOffer !== undefined) {
    steps.push({ step: settledBy.step, check: RULE_TO_OFFER, outcome: "no", detail: noOffer });
  }
  steps.push({
    step: settledBy.step,
    check: settledBy.name,
    outcome: asked.behavior,
    detail: reasonText(asked.reason),
  });
  if (final !== asked) {
    const { reason } = final;
    const [check, detail] =
      reason.type === "settings"
        ? ["the settings", reason.detail]
        : ["the mode", "dontAsk: nobody is asked."];
    steps.push({ step: 6, check, outcome: final.behavior, detail });
  }
  return steps;
}

function overview({ call, context, lines, paths, hosts }: Facts): string {
  const commands = lines.reduce((sum, line) => sum + line.commands.length, 0);
  const parts = [
    count(commands, "command"),
    count(paths.length, "path"),
    count(hosts.length, "host"),
    count(call.targets.length, "target"),
  ];
  return `${call.tool.name} in mode ${context.mode}: ${parts.join(", ")}.`;
}

function looked(check: Check, { policy }: Facts): { detail?: string } {
  const set = check.name.startsWith("deny rule")
    ? policy.deny
    : check.name.startsWith("ask rule")
      ? policy.ask
      : check.name.startsWith("allow rule") || check.name.startsWith("a cover")
        ? policy.allow
        : undefined;
  return set === undefined ? {} : { detail: `${count(size(set), "rule")} looked at.` };
}

function size(set: RuleSet): number {
  const lists = [...set.whole.values(), ...set.names.values(), set.every, set.mcp.all, set.domains];
  const indexed = set.bash.all.length + set.read.all.length + set.edit.all.length;
  return lists.reduce((sum, list) => sum + list.length, indexed);
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? "" : "s"}`;
}
