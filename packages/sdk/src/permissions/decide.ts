import type { Decision, PermissionUpdate, TraceStep } from "../protocol/index.ts";
import type { DecideCall } from "./call.ts";
import { type Facts, gatherFacts } from "./facts/facts.ts";
import { messageOf } from "./message.ts";
import { ORDER } from "./order.ts";
import { matchedRule } from "./policy/bound-rule.ts";
import type { CompiledPolicy } from "./policy/compile.ts";
import { type Check, type Outcome, outcome } from "./steps/outcome.ts";
import { suggestionsFor } from "./suggest/suggest.ts";
import { traceOf } from "./trace.ts";

/** What the order came to: the check that settled the call, and the outcome. */
interface Settled {
  readonly check: Check;
  readonly outcome: Outcome;
}

/**
 * Decides one call. Pure: the same call, policy and time give the same decision, and nothing is looked up.
 *
 * Steps 1 to 5 in the order of `ORDER`; `dontAsk` then turns an ask into a deny. `message`, `trace` and
 * `suggestions` of the result are made when they are first read.
 *
 * @param now epoch milliseconds, for rules that expire.
 */
export function decide(call: DecideCall, policy: CompiledPolicy, now: number): Decision {
  const facts = gatherFacts(call, policy, now);
  const settled = settle(facts);
  const asks = settled.outcome.behavior === "ask";
  const final = asks && facts.mode.deniesAsks ? refused(facts, settled.outcome) : settled.outcome;
  return decisionOf(facts, settled, final);
}

function settle(facts: Facts): Settled {
  for (const check of ORDER) {
    const found = check.run(facts);
    if (found !== undefined) return { check, outcome: found };
  }
  throw new Error("The last check of the order always gives an outcome.");
}

/** The mode that asks nobody. */
function refused(facts: Facts, asked: Outcome): Outcome {
  return outcome("deny", { type: "mode", mode: facts.context.mode }, asked.rule);
}

function decisionOf(facts: Facts, settled: Settled, final: Outcome): Decision {
  let message: string | undefined;
  let trace: readonly TraceStep[] | undefined;
  let suggestions: readonly PermissionUpdate[] | undefined;
  // Own properties, so that a copy or a log of the decision holds them; no spread, which would read them.
  const decision: { -readonly [K in keyof Decision]: Decision[K] } = {
    behavior: final.behavior,
    reason: final.reason,
    hard: final.behavior === "ask" && settled.check.step === 2,
    get message() {
      message ??= messageOf(facts.call.tool, final, settled.outcome);
      return message;
    },
    get trace() {
      trace ??= traceOf(facts, settled.check, settled.outcome, final);
      return trace;
    },
    get suggestions() {
      suggestions ??= settled.check.step === 5 ? suggestionsFor(facts, answers) : [];
      return suggestions;
    },
  };
  if (final.rule !== undefined) decision.rule = matchedRule(final.rule);
  const { check } = facts.call;
  if (check !== undefined && "behavior" in check && check.updatedInput !== undefined) {
    decision.updatedInput = check.updatedInput;
  }
  return decision;
}

/** Whether another policy would let the same call pass. */
function answers(facts: Facts, policy: CompiledPolicy): boolean {
  return settle(gatherFacts(facts.call, policy, facts.now)).outcome.behavior === "allow";
}
