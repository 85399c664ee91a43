import type { DecisionReason, SourcedRule, TraceStep } from "../../protocol/index.ts";
import type { Facts } from "../facts/facts.ts";

/** What a check settled. */
export interface Outcome {
  readonly behavior: "allow" | "deny" | "ask";
  readonly reason: DecisionReason;
  readonly rule?: SourcedRule;
}

/** One question of the order. The first that gives an outcome settles the call. */
export interface Check {
  readonly step: TraceStep["step"];
  readonly name: string;
  readonly run: (facts: Facts) => Outcome | undefined;
}

export function outcome(behavior: Outcome["behavior"], reason: DecisionReason, rule?: SourcedRule): Outcome {
  return rule === undefined ? { behavior, reason } : { behavior, reason, rule };
}
