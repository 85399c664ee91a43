import type { PermissionRuleValue, ShellAnalysis, ShellCommand } from "../../protocol/index.ts";
import { isNeverSuggested, subcommandPrefix } from "../../shell/index.ts";
import { escapeSpecifier } from "../rule/specifier.ts";
import { matchesText, parseTextPattern } from "../rule/text-pattern.ts";

/**
 * The rule to offer for a command: its program and sub-command, else its exact text. No rule for a wrapper
 * whose inner command gets one; undefined where none may be offered.
 */
export function commandRule(
  command: ShellCommand,
  analysis: ShellAnalysis,
): readonly PermissionRuleValue[] | undefined {
  const passesOn = analysis.commands.some(
    (inner) => inner.carrier === command.index && inner.transparentCarrier === true,
  );
  if (passesOn) return [];
  if (command.callsFunction || command.bare || isNeverSuggested(command)) return undefined;
  const prefix = subcommandPrefix(command);
  const contents = [
    ...(prefix === undefined ? [] : [`${escapeSpecifier(prefix)}:*`]),
    // The exact text of a command with unknown words would allow any value of them.
    ...(command.unknownForms.length > 0 ? [] : command.allowForms.map(escapeSpecifier)),
  ];
  const ruleContent = contents.find((content) => covers(content, command));
  return ruleContent === undefined ? undefined : [{ toolName: "Bash", ruleContent }];
}

function covers(ruleContent: string, command: ShellCommand): boolean {
  const pattern = parseTextPattern(ruleContent, true);
  if ("error" in pattern) return false;
  return command.allowForms.some((form) => matchesText(pattern, form));
}
