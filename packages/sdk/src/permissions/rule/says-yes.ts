import type { SourcedRule } from "../../protocol/index.ts";
import { parseRule } from "./parse.ts";

/**
 * Whether a tool's own test says that a rule means the call. Only `true` and `false` are answers.
 *
 * @param otherwise what a test that throws, or answers with nonsense, counts as.
 */
export function saysYes(
  test: (specifier: string) => boolean,
  rule: SourcedRule,
  otherwise: boolean,
): boolean {
  const parsed = parseRule(rule.text);
  const specifier = "error" in parsed ? undefined : parsed.ruleContent;
  if (specifier === undefined) return false;
  try {
    const answer: unknown = test(specifier);
    return typeof answer === "boolean" ? answer : otherwise;
  } catch {
    return otherwise;
  }
}
