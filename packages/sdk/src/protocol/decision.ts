import type { JsonObject } from "./json.ts";
import type { PermissionMode, PermissionUpdate, RuleBehavior, RuleSource } from "./permission.ts";

/** The rule that settled a decision. */
export interface MatchedRule {
  readonly text: string;
  readonly behavior: RuleBehavior;
  readonly source: RuleSource;
  readonly file?: string;
  readonly position?: number;
  readonly reason?: string;
  /** Who granted it. */
  readonly approver?: "human" | "auto";
}

/** Why a decision is what it is. `type` tells which step settled it. */
export type DecisionReason =
  | { readonly type: "rule"; readonly rule: MatchedRule }
  | { readonly type: "mode"; readonly mode: PermissionMode }
  | { readonly type: "tool"; readonly detail: string }
  | { readonly type: "toolPolicy"; readonly policy: "always_allow" | "always_ask" | "always_deny" }
  | { readonly type: "serverPolicy"; readonly policy: "always_allow" | "always_ask" | "always_deny" }
  | { readonly type: "risk"; readonly level: RiskLevel }
  /** A part of a shell line settled it; `reason` is that part's own. */
  | { readonly type: "subcommand"; readonly command: string; readonly reason: DecisionReason }
  | { readonly type: "opaque"; readonly code: string; readonly detail: string }
  /** `liftedBy`: the allow rules that would take this question away; absent where nothing does. */
  | {
      readonly type: "safetyCheck";
      readonly detail: string;
      readonly path?: string;
      readonly liftedBy?: readonly string[];
    }
  | { readonly type: "workingDirectory"; readonly path: string }
  | { readonly type: "hook"; readonly detail: string }
  | { readonly type: "classifier"; readonly detail: string }
  | { readonly type: "callback"; readonly detail: string }
  | { readonly type: "approval"; readonly detail: string }
  | { readonly type: "noApprover"; readonly detail: string }
  | { readonly type: "sandbox"; readonly detail: string }
  | { readonly type: "planCeiling"; readonly detail: string }
  | { readonly type: "settings"; readonly detail: string }
  | { readonly type: "undecided"; readonly detail: string }
  | { readonly type: "invalid"; readonly detail: string };

export type RiskLevel = "low" | "medium" | "high";

/** One step of the order, with what it looked at and what came of it. */
export interface TraceStep {
  /** `1` deny, `2` hard ask, `3` mode, `4` allow, `5` left over, `6` the ask chain. */
  readonly step: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  readonly check: string;
  readonly outcome: "no" | "deny" | "ask" | "allow";
  readonly detail?: string;
}

/**
 * The answer for one call. `trace` and `suggestions` are computed when they are first read:
 * an allow that nobody looks into costs nothing.
 */
export interface Decision {
  readonly behavior: "allow" | "deny" | "ask";
  /** One or two sentences for a model or person: what, why, which rule and where it stands. */
  readonly message: string;
  readonly reason: DecisionReason;
  readonly rule?: MatchedRule;
  /** True for an ask of step 2: no mode and no allow lifts it. */
  readonly hard: boolean;
  readonly trace: readonly TraceStep[];
  /** One set of updates after which the same call is not asked about again; empty when no rule may settle it. */
  readonly suggestions: readonly PermissionUpdate[];
  /** Present when a hook, the tool's check, a callback or an approver changed the input. */
  readonly updatedInput?: JsonObject;
}
