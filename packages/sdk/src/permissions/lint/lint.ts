import type { PermissionContext, SourcedRule } from "../../protocol/index.ts";
import { plainContext } from "../plain.ts";
import { compileGently } from "../policy/compile.ts";
import { type Finding, positionUnit } from "../policy/finding.ts";
import { inFixedOrder } from "../policy/sort.ts";
import { unknownNames } from "../policy/unknown-names.ts";
import { parseRule } from "../rule/parse.ts";
import { RULE_CHECKS, WORLD_CHECKS } from "./checks/index.ts";
import { holdsSecret, withoutSecrets } from "./checks/secrets.ts";
import { hookFindings } from "./hook-findings.ts";
import { type Subject, subjectOf, worldOf } from "./subject.ts";
import type { LintFinding, LintInput } from "./types.ts";

/**
 * What is wrong with rules and hooks: those that do nothing, protect less than they look, or allow more than they look.
 * Looks at nothing but its input, and never throws. In the order of authority, file and line.
 *
 * @example
 * lintRules({ rules: parseRuleList(["Bash(git push :* )"], "deny", "projectSettings") })[0]?.fix;
 * // "Bash(git push:*)"
 */
export function lintRules(input: LintInput): LintFinding[] {
  const toolNames = new Set(input.toolNames ?? []);
  const hooks = (input.hooks ?? []).flatMap((each) => hookFindings(each, toolNames, input.matcherFault));
  const blot = input.rules.some(({ text }) => holdsSecret(text)) ? withoutSecrets : asItIs;
  return [...ruleFindings(input, toolNames).map((finding) => toLint(finding, blot)), ...hooks];
}

function ruleFindings(input: LintInput, toolNames: ReadonlySet<string>): Finding[] {
  const rules = inFixedOrder(input.rules);
  const context = contextOf(input, rules);
  const policy = compileGently(context);
  const subjects = rules.map(subjectOf).filter((each): each is Subject => each !== undefined);
  const world = worldOf(subjects, context, { sandboxed: input.sandboxed === true, now: input.now });
  const findings = [
    ...policy.findings,
    ...unknownNames(policy, toolNames),
    ...subjects.flatMap((subject) => RULE_CHECKS.flatMap((check) => check(subject, world))),
    ...WORLD_CHECKS.flatMap((check) => check(world)),
  ];
  return inOrder(findings);
}

function inOrder(findings: readonly Finding[]): Finding[] {
  const asRules = new Map(findings.map((finding) => [asRule(finding), finding]));
  return inFixedOrder([...asRules.keys()]).flatMap((rule) => asRules.get(rule) ?? []);
}

function asRule({ text, behavior, source, file, position }: Finding): SourcedRule {
  return {
    text,
    behavior,
    source,
    ...(file === undefined ? {} : { file }),
    ...(position === undefined ? {} : { position }),
  };
}

function contextOf(input: LintInput, rules: readonly SourcedRule[]): PermissionContext {
  const { startDirectory = "/project", home = "/home/user", projectRoot = startDirectory } = input;
  return plainContext(startDirectory, home, { projectRoot, rules });
}

function asItIs(text: string): string {
  return text;
}

/** @param blot takes secrets out of a text. */
function toLint(finding: Finding, blot: (text: string) => string): LintFinding {
  const { code, severity, text, behavior, source, file, position, message, fix, mended, apply } = finding;
  // A mended rule is one: whatever came out of mending a broken text.
  const rule = mended === undefined || mended === text || "error" in parseRule(mended) ? undefined : mended;
  const advice = fix === undefined || fix === `Write ${mended}.` ? "" : ` ${fix}`;
  return {
    code,
    severity,
    rule: blot(text),
    list: behavior,
    source,
    ...(file === undefined ? {} : { file }),
    ...(position === undefined ? {} : { [positionUnit(file)]: position }),
    message: blot(`${message}${advice}`),
    ...(rule === undefined ? {} : { fix: blot(rule) }),
    ...(rule === undefined || apply === undefined || rule !== blot(rule) ? {} : { apply }),
  };
}
