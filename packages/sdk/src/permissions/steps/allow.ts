import { coverTargets } from "../cover/cover.ts";
import type { Facts } from "../facts/facts.ts";
import { type BoundRule, firstLive, matchedRule } from "../policy/bound-rule.ts";
import { findAllowedMcp } from "../policy/mcp-index.ts";
import { type Check, type Outcome, outcome } from "./outcome.ts";

/** Step 4: whatever allows. */
export const ALLOW_CHECKS: readonly Check[] = [
  { step: 4, name: "allow rule on the tool", run: wholeAllow },
  { step: 4, name: "hooks", run: hookAllows },
  { step: 4, name: "the tool's policy", run: policyAllows },
  { step: 4, name: "the tool's own check", run: checkAllows },
  { step: 4, name: "a cover for every target", run: targetsAllow },
  { step: 4, name: "the tool by itself", run: itselfAllows },
  { step: 4, name: "the tool's risk", run: riskAllows },
];

function wholeAllow(facts: Facts): Outcome | undefined {
  const bound = wholeAllowRule(facts);
  return bound === undefined
    ? undefined
    : outcome("allow", { type: "rule", rule: matchedRule(bound.rule) }, bound.rule);
}

export function wholeAllowRule(facts: Facts): BoundRule | undefined {
  const { allow } = facts.policy;
  for (const name of facts.exactNames) {
    const bound = firstLive(allow.whole.get(name), facts.now);
    if (bound !== undefined) return bound;
  }
  const { mcp, name } = facts.call.tool;
  if (mcp === undefined) return undefined;
  // The name that the model sees may be a shortened one.
  return findAllowedMcp(allow.mcp, mcp, facts.now, name);
}

function hookAllows({ call }: Facts): Outcome | undefined {
  if (call.hooks?.behavior !== "allow") return undefined;
  return outcome("allow", {
    type: "hook",
    detail: call.hooks.reason ?? "A PreToolUse hook allows this call.",
  });
}

function policyAllows({ call }: Facts): Outcome | undefined {
  if (call.tool.permissionPolicy !== "always_allow") return undefined;
  return outcome("allow", { type: "toolPolicy", policy: "always_allow" });
}

function checkAllows({ call }: Facts): Outcome | undefined {
  const { check } = call;
  if (check === undefined || "failed" in check || check.behavior !== "allow") return undefined;
  return outcome("allow", {
    type: "tool",
    detail: check.message ?? `The tool ${call.tool.name} allows this call.`,
  });
}

function targetsAllow(facts: Facts): Outcome | undefined {
  const { uncovered, rule, byMode } = coverTargets(facts);
  if (uncovered.length > 0) return undefined;
  // An ordinary ask of the check gives way to rules, not to the tool's own reading.
  if (rule === undefined && checkWantsAsk(facts)) return undefined;
  if (rule !== undefined) return outcome("allow", { type: "rule", rule: matchedRule(rule) }, rule);
  if (byMode) return outcome("allow", { type: "mode", mode: facts.context.mode });
  const path = facts.paths[0];
  if (path === undefined) return outcome("allow", { type: "tool", detail: "The call only reads." });
  return outcome("allow", { type: "workingDirectory", path: path.path });
}

function itselfAllows(facts: Facts): Outcome | undefined {
  if (!facts.call.tool.allowedByItself || checkWantsAsk(facts)) return undefined;
  const detail = "What runs inside is decided call by call, or nothing outside the session changes.";
  return outcome("allow", { type: "tool", detail });
}

function riskAllows(facts: Facts): Outcome | undefined {
  return isJudgedByRisk(facts) && facts.call.tool.riskLevel === "low"
    ? outcome("allow", { type: "risk", level: "low" })
    : undefined;
}

/** Nothing but its name or its server's is known of the call, and the tool has no check of its own. */
export function isJudgedByRisk({ call }: Facts): boolean {
  return !call.tool.hasCheck && call.targets.every(({ kind }) => kind === "mcp" || kind === "name");
}

function checkWantsAsk({ call }: Facts): boolean {
  return call.check !== undefined && "behavior" in call.check && call.check.behavior === "ask";
}
