import { CastellanError, type SourcedRule } from "../../protocol/index.ts";
import { type Finding, findingOf, placeOf } from "./finding.ts";

/**
 * Reports a rule that cannot be read.
 *
 * @throws CastellanError `invalid_rule` for a deny or ask rule of the machine's policy.
 */
export function reportMalformed(rule: SourcedRule, error: string, report: (finding: Finding) => void): void {
  if (rule.source === "policySettings" && rule.behavior !== "allow") {
    throw new CastellanError(
      "invalid_rule",
      `The rule ${rule.text} (${placeOf(rule)}) cannot be read: ${error}.`,
      {
        subject: rule.text,
        fix: "Mend the rule: a policy is not loaded with a deny or ask rule that cannot be read.",
      },
    );
  }
  const effect =
    rule.behavior === "allow"
      ? "It is ignored."
      : `It is taken as a ${rule.behavior} rule on the whole tool.`;
  report(findingOf(rule, "error", `The rule cannot be read: ${error}. ${effect}`));
}
