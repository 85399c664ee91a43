import type { ShellAnalysis } from "../../protocol/index.ts";
import { isRead } from "../cover/paths.ts";
import type { Facts } from "../facts/facts.ts";
import { isTrustedGit } from "../facts/git-trusted.ts";
import { isFreeTarget } from "../facts/path-forms.ts";
import { type Binding, reasonOf, targetBinding, wholeBinding } from "./binding.ts";
import { type Check, type Outcome, outcome } from "./outcome.ts";
import { outsideDenies } from "./outside.ts";

/** Step 1: whatever forbids, before anything asks, so that a broad ask never hides a narrow deny. */
export const DENY_CHECKS: readonly Check[] = [
  { step: 1, name: "deny rule on the tool", run: (facts) => denied(wholeBinding(facts, facts.policy.deny)) },
  { step: 1, name: "deny rule on a target", run: (facts) => denied(targetBinding(facts, facts.policy.deny)) },
  { step: 1, name: "the tool's own check", run: checkDenies },
  { step: 1, name: "hooks", run: hookDenies },
  { step: 1, name: "the ceiling of plan mode", run: ceilingDenies },
  { step: 1, name: "the tool's policy", run: policyDenies },
  { step: 1, name: "reads and writes outside", run: outsideDenies },
];

function denied(binding: Binding | undefined): Outcome | undefined {
  return binding === undefined ? undefined : outcome("deny", reasonOf(binding), binding.bound.rule);
}

function checkDenies({ call }: Facts): Outcome | undefined {
  const { check } = call;
  if (check === undefined || "failed" in check || check.behavior !== "deny") return undefined;
  return outcome("deny", {
    type: "tool",
    detail: check.message ?? `The tool ${call.tool.name} refuses this call.`,
  });
}

function hookDenies({ call }: Facts): Outcome | undefined {
  if (call.hooks?.behavior !== "deny") return undefined;
  return outcome("deny", {
    type: "hook",
    detail: call.hooks.reason ?? "A PreToolUse hook refuses this call.",
  });
}

function policyDenies({ call }: Facts): Outcome | undefined {
  if (call.tool.permissionPolicy !== "always_deny") return undefined;
  return outcome("deny", { type: "toolPolicy", policy: "always_deny" });
}

function ceilingDenies(facts: Facts): Outcome | undefined {
  if (!facts.mode.ceiling(facts.context) || passesCeiling(facts)) return undefined;
  const detail = "Plan mode lets through only what reads or plans.";
  return outcome("deny", { type: "planCeiling", detail });
}

function passesCeiling(facts: Facts): boolean {
  const { tool } = facts.call;
  if (tool.allowedInPlan) return true;
  if (facts.lines.length === 0) return tool.readOnly;
  // The tool's own word is not enough for shell text, and its silence does not count for a built-in.
  if (tool.source !== "builtin" && !tool.readOnly) return false;
  const writes = facts.paths.some((target) => !isRead(target) && !isFreeTarget(target));
  return !writes && facts.lines.every((line) => readsOnly(line, facts));
}

function readsOnly(line: ShellAnalysis, facts: Facts): boolean {
  if (line.opaque.length > 0) return false;
  if (line.commands.length === 0) return line.blank;
  return line.commands.every((command) => {
    if (command.bare) return command.assignments.every((assignment) => assignment.harmless);
    const carriesReaders = line.commands.some(
      (inner) => inner.carrier === command.index && inner.transparentCarrier === true,
    );
    if (carriesReaders) return true;
    return command.readOnly && (command.needs !== "git-trusted" || isTrustedGit(facts, command));
  });
}
