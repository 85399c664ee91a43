import { resolve } from "node:path";
import type { LintFinding } from "../../permissions/index.ts";
import type { RuleBehavior } from "../../protocol/index.ts";
import { changeFile, editRules, notChanged, type RuleEdit } from "../../settings/index.ts";
import { LINT_OPTIONS } from "../dry/check-options.ts";
import { type AllSettings, readAll } from "../dry/read-all.ts";
import { checkKeys } from "../options/check-keys.ts";
import { findingsOf } from "./lint-settings.ts";
import type { FixedRule, FixReport, LintOptions } from "./types.ts";

/** A mended rule may show another fault: a few rounds are enough for all. */
const MOST_ROUNDS = 8;

/**
 * Writes the mended rules that loosen nothing into their settings files, comments and formatting kept, and says what is
 * left. The files of the machine's policy are only looked at.
 *
 * Rejects as `check()` does, and with `invalid_settings` when a file cannot be written.
 */
export async function fixSettings(options: LintOptions = {}): Promise<FixReport> {
  checkKeys(options, LINT_OPTIONS);
  const fixed: FixedRule[] = [];
  for (let round = 1; ; round += 1) {
    const all = await readAll(options);
    const findings = await findingsOf(all);
    const written = round > MOST_ROUNDS ? [] : await fixAll(all, findings);
    if (written.length === 0) return { fixed, findings };
    fixed.push(...written);
  }
}

async function fixAll(all: AllSettings, findings: readonly LintFinding[]): Promise<FixedRule[]> {
  const edits = new Map<string, Map<string, RuleEdit>>();
  for (const finding of findings) {
    const edit = editOf(finding);
    if (edit === undefined || finding.file === undefined) continue;
    const ofFile = edits.get(finding.file) ?? new Map<string, RuleEdit>();
    edits.set(finding.file, ofFile);
    // One mended text for a rule at a time: what else is wrong with it is found in the next round.
    const key = `${edit.behavior} ${edit.rule}`;
    if (!ofFile.has(key)) ofFile.set(key, edit);
  }
  const fixed: FixedRule[] = [];
  for (const [file, ofFile] of edits) fixed.push(...(await fixFile(all, file, [...ofFile.values()])));
  return fixed;
}

function editOf({ rule, list, fix, apply, line, source }: LintFinding): RuleEdit | undefined {
  if (fix === undefined || apply === undefined || line === undefined || source === "policySettings")
    return undefined;
  return { behavior: list as RuleBehavior, rule, write: fix, how: apply };
}

async function fixFile(
  { platform, cwd }: AllSettings,
  file: string,
  edits: readonly RuleEdit[],
): Promise<FixedRule[]> {
  let done: readonly RuleEdit[] = [];
  const isWritten = await changeFile(platform, resolve(cwd, file), {}, (before) => {
    if (before === undefined)
      throw notChanged(file, "it was removed meanwhile", "Look at it, and try again.");
    const edited = editRules(before, edits);
    done = edited.done;
    return edited.text;
  });
  if (!isWritten) return [];
  return done.map(({ behavior, rule, write, how }) => ({
    file,
    list: behavior,
    rule,
    fix: write,
    apply: how,
  }));
}
