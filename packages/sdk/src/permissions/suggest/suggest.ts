import type { PermissionRuleValue, PermissionUpdate } from "../../protocol/index.ts";
import { coverTargets } from "../cover/cover.ts";
import type { UncoveredPart } from "../cover/part.ts";
import type { Facts } from "../facts/facts.ts";
import { type CompiledPolicy, compilePolicy } from "../policy/compile.ts";
import { applyUpdates } from "../updates.ts";
import { commandRule } from "./command-rule.ts";
import { pathRules } from "./path-rule.ts";
import { toolRule } from "./tool-rule.ts";

/**
 * One set of updates after which the same call passes; empty where no rule may settle it.
 *
 * Nothing is offered on trust: the set is applied and the call decided again before it is handed out.
 */
export function suggestionsFor(
  facts: Facts,
  passes: (facts: Facts, policy: CompiledPolicy) => boolean,
): readonly PermissionUpdate[] {
  const { tool, check } = facts.call;
  if (tool.destructive) return [];
  const offered = check !== undefined && "behavior" in check ? check.suggestions : undefined;
  if (offered !== undefined && offered.length > 0 && settles(facts, offered, passes)) return offered;
  const rules = rulesFor(facts);
  if (rules === undefined || rules.length === 0) return [];
  const updates: PermissionUpdate[] = [
    { type: "addRules", rules, behavior: "allow", destination: "session" },
  ];
  return settles(facts, updates, passes) ? updates : [];
}

function settles(
  facts: Facts,
  updates: readonly PermissionUpdate[],
  passes: (facts: Facts, policy: CompiledPolicy) => boolean,
): boolean {
  const applied = applyUpdates(facts.context, updates);
  return !("error" in applied) && passes(facts, compilePolicy(applied.context));
}

/** A rule for every part that nothing covers; undefined as soon as one part must not be offered. */
function rulesFor(facts: Facts): PermissionRuleValue[] | undefined {
  const parts = coverTargets(facts).uncovered;
  const rules = new Map<string, PermissionRuleValue>();
  for (const part of parts) {
    const own = ruleFor(part, facts);
    if (own === undefined) return undefined;
    for (const rule of own) rules.set(`${rule.toolName}(${rule.ruleContent ?? ""})`, rule);
  }
  return [...rules.values()];
}

/** The rules for one part; undefined where none may be offered. */
export function ruleFor(part: UncoveredPart, facts: Facts): readonly PermissionRuleValue[] | undefined {
  switch (part.kind) {
    case "opaque":
      return undefined;
    case "command":
      return commandRule(part.command, part.analysis);
    case "path":
      return pathRules(part.target, part.need);
    case "target":
    case "tool":
      return toolRule(part, facts.call.tool);
  }
}
