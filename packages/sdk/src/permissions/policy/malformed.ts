import { CastellanError, type SourcedRule } from "../../protocol/index.ts";
import { TEXT_BEHIND } from "../rule/parse.ts";
import { type Finding, findingOf, placeOf } from "./finding.ts";
import { mendMalformed } from "./mend-malformed.ts";

/** Takes what is found while rules are compiled. */
export interface Reporter {
  report(finding: Finding): void;
  /** A rule that cannot be read, and why. */
  malformed(rule: SourcedRule, error: string): void;
}

/** Gathers findings, rules that cannot be read among them. Never throws. */
export function gentleReporter(findings: Finding[]): Reporter {
  return {
    report: (finding) => void findings.push(finding),
    malformed: (rule, error) => void findings.push(malformedFinding(rule, error)),
  };
}

/** The same, but a deny or ask rule of the machine's policy that cannot be read throws CastellanError `invalid_rule`. */
export function strictReporter(findings: Finding[]): Reporter {
  const gentle = gentleReporter(findings);
  return {
    report: gentle.report,
    malformed(rule, error) {
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
      gentle.malformed(rule, error);
    },
  };
}

function malformedFinding(rule: SourcedRule, error: string): Finding {
  const effect =
    rule.behavior === "allow"
      ? "It is ignored."
      : `It is taken as a ${rule.behavior} rule on the whole tool.`;
  const mended = mendMalformed(rule.text);
  return findingOf(
    rule,
    error === TEXT_BEHIND ? "text-after-paren" : "malformed",
    `The rule cannot be read: ${error}. ${effect}`,
    mended === undefined ? {} : { mended },
  );
}
