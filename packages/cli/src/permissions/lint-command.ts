import { type FixedRule, fixSettings, type LintFinding, lint } from "@castellan/sdk/permissions";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { checkOptions, keyBefore, type PolicyFlags } from "./flags.ts";

/** The flags of `permissions lint`. */
export interface LintFlags extends Pick<PolicyFlags, "settings" | "cwd" | "json"> {
  readonly fix?: boolean;
}

/** `castellan permissions lint`: what is wrong with rules, hooks and keys. Fails when something is an error. */
export async function lintCommand({ fix, json, ...flags }: LintFlags): Promise<ExitCode> {
  const options = checkOptions(flags);
  const { fixed, findings } =
    fix === true ? await fixSettings(options) : { fixed: undefined, findings: await lint(options) };
  const report = fixed === undefined ? { findings } : { findings, fixed };
  process.stdout.write(json === true ? `${printableJson(report)}\n` : lintText(findings, fixed));
  return findings.some(({ severity }) => severity === "error") ? EXIT.failed : EXIT.done;
}

/** The report for a person. `fixed`: what was written; undefined where nothing was to be. */
export function lintText(findings: readonly LintFinding[], fixed?: readonly FixedRule[]): string {
  const lines = [
    ...(fixed ?? []).map(fixedText),
    ...findings.flatMap(findingLines),
    summary(findings, fixed),
  ];
  return `${lines.map((line) => printable(line).replaceAll("\n", " ")).join("\n")}\n`;
}

function fixedText({ file, list, rule, fix, apply }: FixedRule): string {
  const what = apply === "replace" ? `${rule} is now ${fix}` : `${fix} stands beside ${rule}`;
  return `fixed    ${file}: ${list}: ${what}`;
}

function findingLines({
  severity,
  code,
  source,
  file,
  line,
  entry,
  list,
  rule,
  message,
  fix,
  apply,
}: LintFinding): string[] {
  const place = [
    file ?? source,
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(entry === undefined ? [] : [`entry ${entry}`]),
  ].join(", ");
  const what = list === "settings" || list === "hooks" ? keyBefore(rule, message) : [`${list} ${rule}`];
  const head = `${severity.padEnd(7)}  ${[place, ...what, message].join(": ")} [${code}]`;
  if (fix === undefined) return [head];
  // The machine's policy is only looked at, and settings that were given as JSON have no file.
  const isWritten = apply !== undefined && line !== undefined && source !== "policySettings";
  const how = isWritten ? `--fix ${apply === "replace" ? "writes" : "adds"}` : "write";
  return [head, `         ${how} ${fix}`];
}

function summary(findings: readonly LintFinding[], fixed: readonly FixedRule[] | undefined): string {
  const count = (severity: LintFinding["severity"], one: string, many: string): string => {
    const { length } = findings.filter((finding) => finding.severity === severity);
    return `${length} ${length === 1 ? one : many}`;
  };
  const counts = [
    count("error", "error", "errors"),
    count("warning", "warning", "warnings"),
    count("info", "note", "notes"),
  ];
  return [...(fixed === undefined ? [] : [`${fixed.length} fixed`]), ...counts].join(", ");
}
