import type { SourcedRule } from "../../protocol/index.ts";
import type { Finding } from "./finding.ts";
import type { RuleSet } from "./rule-set.ts";

/** The part of a policy that only its rules and directories decide; equal contexts share it. */
export interface CompiledRules {
  /** What is wrong with rules, in the fixed order of the rules. */
  readonly findings: readonly Finding[];
  readonly deny: RuleSet;
  readonly ask: RuleSet;
  readonly allow: RuleSet;
  /** Rules that can be read, in the fixed order, with the name of their tool. */
  readonly named: readonly (readonly [rule: SourcedRule, toolName: string])[];
}
