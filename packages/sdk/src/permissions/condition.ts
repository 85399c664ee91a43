import type { PermissionContext, RuleBehavior } from "../protocol/index.ts";
import type { DecideCall } from "./call.ts";
import { coverTargets } from "./cover/cover.ts";
import { type Facts, gatherFacts } from "./facts/facts.ts";
import { compilePolicy } from "./policy/compile.ts";
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
  const binding = factsUnder(rule, "deny", call, context);
  const binds =
    wholeBinding(binding, binding.policy.deny) !== undefined ||
    targetBinding(binding, binding.policy.deny) !== undefined;
  if (!binds && blindAsks(binding) === undefined) return "no";
  const covering = factsUnder(rule, "allow", call, context);
  const covers = wholeAllowRule(covering) !== undefined || coverTargets(covering).uncovered.length === 0;
  return covers ? "whole" : "part";
}

function factsUnder(
  rule: string,
  behavior: RuleBehavior,
  call: CallFacts,
  context: PermissionContext,
): Facts {
  const key = `${behavior}:${rule}`;
  const known = contexts.get(context) ?? new Map<string, PermissionContext>();
  contexts.set(context, known);
  let alone = known.get(key);
  if (alone === undefined) {
    alone = { ...context, mode: "default", rules: [{ text: rule, behavior, source: "flagSettings" }] };
    known.set(key, alone);
  }
  return gatherFacts({ ...call, input: {} }, compilePolicy(alone), 0);
}

/** A context with one rule in it is made once, so that its policy is compiled once. */
const contexts = new WeakMap<PermissionContext, Map<string, PermissionContext>>();
