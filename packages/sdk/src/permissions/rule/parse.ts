import type { PermissionRuleValue } from "../../protocol/index.ts";
import { parseHostPattern } from "./host-pattern.ts";
import { familyOf } from "./names.ts";
import { parseTextPattern } from "./text-pattern.ts";

/**
 * A rule taken apart. `ruleContent` is the text between the brackets as it was written, escapes included;
 * it is absent for a rule on the whole tool (`Tool` and `Tool(*)`).
 */
export interface ParsedRule extends PermissionRuleValue {}

/** Why a text is no rule, in words for a person. */
export interface RuleError {
  readonly error: string;
  /** The tool that the text starts with, where it names one. */
  readonly toolName?: string;
}

/** The error of a rule that goes on behind its brackets. */
export const TEXT_BEHIND = "text stands behind the last `)`";

/**
 * Reads `Tool` or `Tool(specifier)`.
 *
 * Names are not checked against any catalogue, and nothing here depends on whether the rule allows or denies.
 */
export function parseRule(text: string): ParsedRule | RuleError {
  if (text.trim() === "") return { error: "the rule is empty" };
  const open = text.indexOf("(");
  if (open < 0) return wholeTool(text);
  const toolName = text.slice(0, open);
  if (toolName.trim() === "") return { error: "no tool name stands before `(`" };
  const fault = (error: string): RuleError => ({ error, toolName });
  const close = lastFreeBracket(text);
  if (close < open) return fault("`(` is never closed");
  if (close !== text.length - 1) return fault(TEXT_BEHIND);
  const ruleContent = text.slice(open + 1, close);
  if (ruleContent.trim() === "") return fault("the brackets are empty");
  if (ruleContent === "*") return { toolName };
  const error = specifierFault(toolName, ruleContent);
  return error === undefined ? { toolName, ruleContent } : fault(error);
}

function wholeTool(text: string): ParsedRule | RuleError {
  const bracket = text.indexOf(")");
  if (bracket < 0) return { toolName: text };
  return { error: "`)` stands without `(`", toolName: text.slice(0, bracket) };
}

/** The last `)` that is not escaped by an odd number of backslashes. */
function lastFreeBracket(text: string): number {
  for (let at = text.lastIndexOf(")"); at >= 0; at = text.lastIndexOf(")", at - 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

function specifierFault(toolName: string, specifier: string): string | undefined {
  switch (familyOf(toolName)) {
    case "any":
      return "`*` means every tool and takes no brackets";
    case "mcp":
      return "a rule for MCP tools takes no specifier";
    case "domain":
      return faultIn(parseHostPattern(specifier));
    case "bash":
      return faultIn(parseTextPattern(specifier, true));
    case "agent":
    case "name":
      return faultIn(parseTextPattern(specifier, false));
    default:
      return undefined;
  }
}

function faultIn(parsed: object): string | undefined {
  return "error" in parsed && typeof parsed.error === "string" ? parsed.error : undefined;
}

/** The text of a rule: what `parseRule` takes apart. */
export function formatRule(rule: PermissionRuleValue): string {
  return rule.ruleContent === undefined || rule.ruleContent === "*"
    ? rule.toolName
    : `${rule.toolName}(${rule.ruleContent})`;
}
