import type {
  CheckOptions,
  DryCall,
  FixReport,
  LintOptions,
  PolicyCase,
  PolicyReport,
  RevokeOptions,
  RevokeResult,
  RuleListing,
  TestPolicyOptions,
  TrustOptions,
  TrustResult,
} from "./host/index.ts";
import type { LintFinding } from "./permissions/index.ts";
import type { Decision } from "./protocol/index.ts";

export type {
  CaseSettings,
  CheckOptions,
  DryCall,
  FailedCase,
  FixedRule,
  FixReport,
  LintOptions,
  ListedRule,
  PolicyCase,
  PolicyFinding,
  PolicyReport,
  RevokeOptions,
  RevokeResult,
  RuleListing,
  TestPolicyOptions,
  TrustOptions,
  TrustResult,
} from "./host/index.ts";
export type {
  CompiledPolicy,
  DecideCall,
  Finding,
  FindingCode,
  HookEffect,
  LintFinding,
  LintHooks,
  LintInput,
  ParsedRule,
  RuleError,
  ToolFacts,
  UpdateResult,
} from "./permissions/index.ts";
export {
  applyUpdates,
  compilePolicy,
  decide,
  explainDecision,
  formatRule,
  lintRules,
  matchRule,
  parseRule,
  parseRuleList,
} from "./permissions/index.ts";
export type {
  Decision,
  DecisionReason,
  MatchedRule,
  PermissionContext,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  ResolvedTarget,
  RuleBehavior,
  RuleSource,
  SourcedRule,
  TraceStep,
} from "./protocol/index.ts";

/**
 * The decision about a call, as a session with these options would come to it before anybody is asked. The tool does
 * not run. A call whose input does not fit the tool is a deny of type `invalid`.
 *
 * Rejects with a CastellanError `invalid_option` for a tool that does not exist, and `invalid_settings` or
 * `invalid_rule` for settings that stop a session.
 *
 * @example
 * const { behavior, message } = await check({ tool: "Bash", input: { command: "git push" } });
 */
export async function check(call: DryCall, options: CheckOptions = {}): Promise<Decision> {
  return (await dry()).check(call, options);
}

/**
 * Why a call is decided as it is, in at most 12 lines of at most 100 columns: the part of the call, the rule with file
 * and line, the step that settled it, and what would change it. `explainDecision` does the same for a decision that you
 * have already.
 *
 * Rejects as `check()` does.
 *
 * @example
 * console.log(await explain({ tool: "Bash", input: { command: "git push && rm -rf x" } }));
 */
export async function explain(call: DryCall, options: CheckOptions = {}): Promise<string> {
  return (await dry()).explain(call, options);
}

/**
 * Tests a policy: each case is decided over the settings and files that it names itself, and no disk is read.
 *
 * Rejects with a CastellanError `invalid_option` for a case that is malformed: an unknown key, mode or tool, an id that
 * another case has, settings that cannot be read.
 *
 * @example
 * const { failed } = await testPolicy([
 *   {
 *     id: "nobody pushes",
 *     settings: { project: { permissions: { deny: ["Bash(git push:*)"] } } },
 *     mode: "default",
 *     cwd: "/work/app",
 *     call: { tool: "Bash", input: { command: "git -C lib push" } },
 *     want: "deny",
 *   },
 * ]);
 */
export async function testPolicy(
  cases: readonly PolicyCase[],
  options: TestPolicyOptions = {},
): Promise<PolicyReport> {
  return (await dry()).testPolicy(cases, options);
}

/**
 * The rules that count under these options, each with the place where it is written, and what is wrong with them.
 *
 * Rejects as `check()` does.
 *
 * @example
 * const { rules } = await listRules({ settingSources: ["user", "project", "local"] });
 * for (const { behavior, rule, file, line } of rules) console.log(behavior, rule, file, line);
 */
export async function listRules(options: CheckOptions = {}): Promise<RuleListing> {
  return (await dry()).listRules(options);
}

/**
 * What is wrong with the rules, hooks and keys of the settings that a session with these options would read: rules that
 * do nothing, protect less than they look, or allow more than they look, each with the mended rule where there is one.
 *
 * Rejects as `check()` does.
 *
 * @example
 * const findings = await lint({ settings: { permissions: { deny: ["Bash(git push :* )"] } } });
 * console.log(findings[0]?.fix); // Bash(git push:*)
 */
export async function lint(options: LintOptions = {}): Promise<readonly LintFinding[]> {
  return (await lintRuns()).lint(options);
}

/**
 * As `lint()`, and writes the mended rules that loosen nothing (`apply` of a finding) into their files. Comments and
 * formatting stay. Gives what was written and what is left.
 *
 * Rejects as `check()` does, and with a CastellanError `invalid_settings` for a file that cannot be written.
 *
 * @example
 * const { fixed, findings } = await fixSettings({ settingSources: ["project"] });
 * console.log(`${fixed.length} mended, ${findings.length} left`);
 */
export async function fixSettings(options: LintOptions = {}): Promise<FixReport> {
  return (await lintRuns()).fixSettings(options);
}

/**
 * Takes a rule out of the settings file that holds it: a grant that was given once. The rule is named as it stands there.
 * A rule that no file holds, or files of several sources, is left alone, and the result says so.
 *
 * Rejects with a CastellanError `invalid_option`, or `invalid_settings` for a file that cannot be read or written.
 *
 * @example
 * const { revoked } = await revoke("Bash(npm run deploy:*)", { from: "local" });
 */
export async function revoke(rule: string, options: RevokeOptions = {}): Promise<RevokeResult> {
  return (await lintRuns()).revoke(rule, options);
}

/**
 * Records that the user trusts a workspace: allow rules, directories, modes and variables of its own settings count from
 * the next session on. With `remove` it takes that back.
 *
 * Rejects with a CastellanError `invalid_option`, or `invalid_settings` where the record cannot be read or written.
 *
 * @example
 * const { workspace, changed } = await trustWorkspace({ cwd: "/work/app" });
 */
export async function trustWorkspace(options: TrustOptions = {}): Promise<TrustResult> {
  return (await import("./host/index.ts")).trustWorkspace(options);
}

async function lintRuns(): ReturnType<typeof import("./host/index.ts").lintRuns> {
  return (await import("./host/index.ts")).lintRuns();
}

/** Rules alone need nothing of Node; the gate that judges a call over a disk does. */
async function dry(): ReturnType<typeof import("./host/index.ts").dryRuns> {
  return (await import("./host/index.ts")).dryRuns();
}
