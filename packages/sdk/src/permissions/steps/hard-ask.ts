import type { Facts } from "../facts/facts.ts";
import { type Binding, reasonOf, targetBinding, wholeBinding } from "./binding.ts";
import { blindAsks } from "./blind.ts";
import { type Check, type Outcome, outcome } from "./outcome.ts";
import { outsideAsks } from "./outside.ts";
import { safetyAsks } from "./safety.ts";

/** Step 2: questions that no mode, no allow rule and no hook takes away. */
export const HARD_ASK_CHECKS: readonly Check[] = [
  { step: 2, name: "settings that could not be read", run: brokenSettings },
  { step: 2, name: "ask rule on the tool", run: (facts) => asked(wholeBinding(facts, facts.policy.ask)) },
  { step: 2, name: "a tool that needs the user", run: needsUser },
  { step: 2, name: "ask rule on a target", run: (facts) => asked(targetBinding(facts, facts.policy.ask)) },
  { step: 2, name: "the tool's policy", run: policyAsks },
  { step: 2, name: "safety checks", run: safetyAsks },
  { step: 2, name: "hooks", run: hookAsks },
  { step: 2, name: "the tool's own check", run: checkAsks },
  { step: 2, name: "what cannot be seen through", run: blindAsks },
  { step: 2, name: "programs that may reach outside", run: outsideAsks },
];

function asked(binding: Binding | undefined): Outcome | undefined {
  return binding === undefined ? undefined : outcome("ask", reasonOf(binding), binding.bound.rule);
}

function brokenSettings({ context }: Facts): Outcome | undefined {
  if (context.brokenSettings === undefined) return undefined;
  const detail = `Settings that may hold denies cannot be read, so every call is asked about: ${context.brokenSettings}.`;
  return outcome("ask", { type: "settings", detail });
}

function needsUser({ call }: Facts): Outcome | undefined {
  if (!call.tool.requiresUser) return undefined;
  return outcome("ask", { type: "tool", detail: `${call.tool.name} needs a person in every mode.` });
}

function policyAsks({ call }: Facts): Outcome | undefined {
  if (call.tool.permissionPolicy !== "always_ask") return undefined;
  return outcome("ask", { type: "toolPolicy", policy: "always_ask" });
}

function hookAsks({ call }: Facts): Outcome | undefined {
  const behavior = call.hooks?.behavior;
  if (call.hooks === undefined || behavior === undefined || behavior === "allow") return undefined;
  return outcome("ask", {
    type: "hook",
    detail: call.hooks.reason ?? "A PreToolUse hook asks about this call.",
  });
}

/** A check that failed, or whose ask is meant to hold, is no weaker than a rule. */
function checkAsks({ call }: Facts): Outcome | undefined {
  const { check, tool } = call;
  if (check === undefined) return undefined;
  if ("failed" in check) {
    return outcome("ask", { type: "tool", detail: `The check of ${tool.name} failed: ${check.failed}` });
  }
  if (check.behavior === "ask" && check.kept === true) {
    return outcome("ask", {
      type: "tool",
      detail: check.message ?? `${tool.name} asks about this call in every mode.`,
    });
  }
  if (!KNOWN_ANSWERS.has(check.behavior)) {
    return outcome("ask", { type: "tool", detail: `The check of ${tool.name} answered nonsense.` });
  }
  return undefined;
}

const KNOWN_ANSWERS: ReadonlySet<string> = new Set(["allow", "deny", "ask", "passthrough"]);
