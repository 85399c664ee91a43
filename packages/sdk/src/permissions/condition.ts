import type { PermissionContext, RuleSource } from "../protocol/index.ts";
import type { DecideCall } from "./call.ts";
import { coverTargets } from "./cover/cover.ts";
import { gatherFacts } from "./facts/facts.ts";
import { type CompiledPolicy, compileAlone } from "./policy/compile.ts";
import { wholeAllowRule } from "./steps/allow.ts";
import { targetBinding, wholeBinding } from "./steps/binding.ts";
import { blindAsks } from "./steps/blind.ts";

/** How much of a call falls under a rule: nothing, some of it (or it cannot be known), all of it. */
export type Holds = "no" | "part" | "whole";

type CallFacts = Pick<DecideCall, "tool" | "targets">;

/**
 * How far a rule speaks of a call, where it is a condition and neither allows nor denies. It holds where it would bind
 * the call as a deny rule, what cannot be seen through included; it holds for the whole where it would also
 * cover the call as an allow rule in mode `default`.
 */
export function conditionHolds(rule: string, call: CallFacts, context: PermissionContext): Holds {
  const facts = gatherFacts({ ...call, input: {} }, policyOf(rule, context), 0);
  const { deny } = facts.policy;
  const binds = wholeBinding(facts, deny) !== undefined || targetBinding(facts, deny) !== undefined;
  if (!binds && blindAsks(facts) === undefined) return "no";
  const covers = wholeAllowRule(facts) !== undefined || coverTargets(facts).uncovered.length === 0;
  return covers ? "whole" : "part";
}

/** The rule alone, once as a deny and once as an allow rule: what binds never looks at allow, nor what covers at deny. */
function policyOf(rule: string, context: PermissionContext): CompiledPolicy {
  const known = policies.get(context) ?? new Map<string, CompiledPolicy>();
  policies.set(context, known);
  let policy = known.get(rule);
  if (policy === undefined) {
    const source: RuleSource = "flagSettings";
    const rules = [
      { text: rule, behavior: "deny" as const, source },
      { text: rule, behavior: "allow" as const, source },
    ];
    policy = compileAlone({ ...context, mode: "default", rules });
    known.set(rule, policy);
  }
  return policy;
}

/** By context and rule: each is compiled once. */
const policies = new WeakMap<PermissionContext, Map<string, CompiledPolicy>>();
