import type { PermissionContext, SourcedRule } from "../protocol/index.ts";
import type { DecideCall } from "./call.ts";
import { coverTargets } from "./cover/cover.ts";
import { gatherFacts } from "./facts/facts.ts";
import { compilePolicy } from "./policy/compile.ts";
import { wholeAllowRule } from "./steps/allow.ts";
import { targetBinding, wholeBinding } from "./steps/binding.ts";

/**
 * Whether one rule, taken alone, has a say in a call: a deny or ask rule binds it, an allow rule covers
 * the whole tool or at least one of its parts. Expiry plays no part.
 *
 * @throws CastellanError `invalid_rule` for a deny or ask rule of policySettings that cannot be read.
 */
export function matchRule(
  rule: SourcedRule,
  call: Pick<DecideCall, "tool" | "targets">,
  context: PermissionContext,
): boolean {
  const { expires: _, ...timeless } = rule;
  const policy = compilePolicy({ ...context, rules: [timeless] });
  const facts = gatherFacts({ ...call, input: {} }, policy, 0);
  if (rule.behavior === "allow") {
    return wholeAllowRule(facts) !== undefined || coverTargets(facts).rule !== undefined;
  }
  const set = policy[rule.behavior];
  return wholeBinding(facts, set) !== undefined || targetBinding(facts, set) !== undefined;
}
