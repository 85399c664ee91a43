import { type ListedRule, listRules, type RuleListing } from "@castellan/sdk/permissions";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { columnsOf, padded } from "../terminal/columns.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { checkOptions, findingText, type PolicyFlags } from "./flags.ts";

/** `castellan permissions list`: the rules that count, and where each is written. */
export async function listCommand(flags: PolicyFlags): Promise<ExitCode> {
  const listing = await listRules(checkOptions(flags));
  process.stdout.write(flags.json === true ? `${printableJson(listing)}\n` : listText(listing));
  return EXIT.done;
}

/** The listing for a person. */
export function listText({
  mode,
  trusted,
  projectRoot,
  additionalDirectories,
  rules,
  findings,
}: RuleListing): string {
  const widest = Math.min(60, Math.max(0, ...rules.map(({ rule }) => columnsOf(rule))));
  const lines = [
    `mode ${mode}; project ${projectRoot}, ${trusted ? "trusted" : "not trusted"}`,
    ...additionalDirectories.map(({ path, source }) => `directory ${path}  ${source}`),
    ...rules.map((rule) => `${padded(rule.behavior, 5)}  ${padded(rule.rule, widest)}  ${placeText(rule)}`),
    ...(rules.length === 0 ? ["no rules"] : []),
    ...findings.map(findingText),
  ];
  return `${lines.map((line) => printable(line).replaceAll("\n", " ")).join("\n")}\n`;
}

function placeText({ source, file, line, entry, expires, expired, approver, reason }: ListedRule): string {
  const parts = [
    source,
    ...(file === undefined ? [] : [file]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(entry === undefined ? [] : [`entry ${entry}`]),
    ...(expires === undefined ? [] : [`${expired === true ? "expired" : "expires"} ${expires}`]),
    ...(approver === undefined ? [] : [`granted by ${approver}`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return parts.join(", ");
}
