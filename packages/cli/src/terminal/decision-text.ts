import type { SDKPermissionDecision } from "@castellan/sdk";
import { ruleText } from "./rule-text.ts";

/** Who answered a question. */
export type Answerer = "person" | "script";

const NAMES: Readonly<Record<Answerer, string>> = { person: "you", script: "the script" };

/** Why a call was allowed or denied, in a few words: the rule and its source, the answer to a question, or the reason. */
export function decisionText(decision: SDKPermissionDecision, answeredBy?: Answerer): string {
  const { behavior, message, reason, rule } = decision;
  if (decision.asked === true && reason.type === "callback" && answeredBy !== undefined) {
    if (behavior === "allow") return `asked, ${NAMES[answeredBy]} allowed it`;
    return `asked, ${NAMES[answeredBy]} denied it: ${message}`;
  }
  if (rule !== undefined) return ruleText(rule);
  return message.replace(/^\S+ is (?:allowed|denied): /, "").replace(/\.$/, "");
}
