import type { Decision, PermissionUpdate } from "../protocol/index.ts";
import type { DecideCall } from "./call.ts";
import { type Facts, gatherFacts } from "./facts/facts.ts";
import { lazyDecisions } from "./lazy-decision.ts";
import { messageOf } from "./message.ts";
import { ORDER } from "./order.ts";
import { matchedRule } from "./policy/bound-rule.ts";
import type { CompiledPolicy } from "./policy/compile.ts";
import { placeOf } from "./policy/finding.ts";
import { rememberedDecision } from "./recent-decisions.ts";
import { type Check, type Outcome, outcome } from "./steps/outcome.ts";
import { suggestionsFor } from "./suggest/suggest.ts";
import { whyNone } from "./suggest/why-none.ts";
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
  return rememberedDecision(call, policy, (same) => decideFresh(same, policy, now));
}

/** Without what is remembered. */
export function decideFresh(call: DecideCall, policy: CompiledPolicy, now: number): Decision {
  const facts = gatherFacts(call, policy, now);
  const settled = settle(facts);
  const asks = settled.outcome.behavior === "ask";
  const final = asks && asksNobody(facts) ? refused(facts, settled.outcome) : settled.outcome;
  return decisionOf(facts, settled, final);
}

/** The functions alone: a check of each kind has a hidden class of its own. */
const RUNS: readonly Check["run"][] = ORDER.map((check) => check.run);

function settle(facts: Facts): Settled {
  for (let at = 0; at < RUNS.length; at += 1) {
    const found = RUNS[at]?.(facts);
    if (found !== undefined) return { check: ORDER[at] as Check, outcome: found };
  }
  throw new Error("The last check of the order always gives an outcome.");
}

function asksNobody({ mode, context }: Facts): boolean {
  return mode.deniesAsks || context.denyInsteadOfPrompting !== undefined;
}

/** The mode that asks nobody, or the setting. */
function refused({ context, mode }: Facts, asked: Outcome): Outcome {
  const { denyInsteadOfPrompting: place } = context;
  if (mode.deniesAsks || place === undefined)
    return outcome("deny", { type: "mode", mode: context.mode }, asked.rule);
  const detail = `denyInsteadOfPrompting (${placeOf(place)}) refuses what would be a question.`;
  return outcome("deny", { type: "settings", detail }, asked.rule);
}

/** What the parts of a decision are made from that few read. */
interface Origin {
  readonly facts: Facts;
  readonly settled: Settled;
  readonly final: Outcome;
}

const lazyDecision = lazyDecisions<Origin>({
  message: ({ facts, settled, final }) => messageOf(facts.call.tool, final, settled.outcome),
  trace: (origin) => {
    const { facts, settled, final } = origin;
    const none = settled.check.step === 5 && offered(origin).length === 0 ? whyNone(facts) : undefined;
    return traceOf(facts, settled.check, settled.outcome, final, none);
  },
  suggestions: offered,
});

function offered({ facts, settled }: Origin): readonly PermissionUpdate[] {
  facts.made.offers ??= settled.check.step === 5 ? suggestionsFor(facts, answers) : [];
  return facts.made.offers;
}

function decisionOf(facts: Facts, settled: Settled, final: Outcome): Decision {
  const { behavior, reason } = final;
  const hard = behavior === "ask" && settled.check.step === 2;
  const decision: { -readonly [K in keyof Decision]: Decision[K] } = lazyDecision(
    { behavior, reason, hard },
    { facts, settled, final },
  );
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
