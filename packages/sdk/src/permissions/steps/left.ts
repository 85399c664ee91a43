import type { Facts } from "../facts/facts.ts";
import { isJudgedByRisk } from "./allow.ts";
import { type Check, type Outcome, outcome } from "./outcome.ts";
import { uncoveredReason } from "./uncovered-reason.ts";

/** Step 5: what nobody decided is asked about. */
export const LEFT_CHECKS: readonly Check[] = [{ step: 5, name: "what is left", run: askAboutIt }];

function askAboutIt(facts: Facts): Outcome {
  const { check, tool } = facts.call;
  if (check !== undefined && "behavior" in check && check.behavior === "ask") {
    return outcome("ask", {
      type: "tool",
      detail: check.message ?? `The tool ${tool.name} asks about this call.`,
    });
  }
  if (isJudgedByRisk(facts)) return outcome("ask", { type: "risk", level: tool.riskLevel });
  return outcome("ask", uncoveredReason(facts));
}
