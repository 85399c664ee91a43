import type { ResolvedPathTarget, ShellAnalysis, ShellCommand } from "../../protocol/index.ts";
import type { Facts } from "../facts/facts.ts";
import { isTrustedGit } from "../facts/git-trusted.ts";
import { isFreeTarget } from "../facts/path-forms.ts";
import { type BoundRule, firstLive } from "../policy/bound-rule.ts";
import { findAnyText, findLine } from "../policy/text-index.ts";
import type { UncoveredPart } from "./part.ts";
import { grantingRule, isInside, isLiteralInside, isRead } from "./paths.ts";

/** How a command is covered: by a rule, by the read-only table, by the mode's edits, or not. */
type Grade = { readonly by: "rule"; readonly bound: BoundRule } | { readonly by: "table" | "edit" | "none" };

const NONE: Grade = { by: "none" };

const BY_TABLE: Grade = { by: "table" };
const BY_EDIT: Grade = { by: "edit" };

interface ShellCover {
  readonly bound: BoundRule | undefined;
  readonly byMode: boolean;
}

/** Looks for a cover of every command of every line, and of what they touch. What has none is added to `uncovered`. */
export function coverShell(facts: Facts, uncovered: UncoveredPart[]): ShellCover {
  const bare = firstLive(facts.policy.allow.whole.get("Bash"), facts.now);
  if (bare !== undefined) return { bound: bare, byMode: false };
  let only: readonly Grade[] = NO_GRADES;
  let bound: BoundRule | undefined;
  let byMode = false;
  for (const analysis of facts.lines) {
    const blind = opaquePart(analysis);
    if (blind !== undefined) uncovered.push(blind);
    const own = gradeCommands(facts, analysis);
    bound ??= firstRule(own);
    byMode ||= own.includes(BY_EDIT);
    // With several lines it is not known whose command a path belongs to.
    if (facts.lines.length === 1) only = own;
    if (blind !== undefined) continue;
    for (let index = 0; index < own.length; index += 1) {
      const command = analysis.commands[index];
      if (command !== undefined && own[index] === NONE)
        uncovered.push({ kind: "command", command, analysis });
    }
  }
  for (const target of facts.paths) {
    if (target.shell === undefined || isFreeTarget(target)) continue;
    const cover = coverPath(facts, target, only[target.shell.command] ?? BY_TABLE);
    if (cover === "none") uncovered.push({ kind: "path", target, need: isRead(target) ? "read" : "edit" });
    else if (cover === "mode") byMode = true;
    else if (typeof cover === "object") bound ??= cover;
  }
  return { bound, byMode };
}

const NO_GRADES: readonly Grade[] = [];

function firstRule(grades: readonly Grade[]): BoundRule | undefined {
  for (const grade of grades) if (grade.by === "rule") return grade.bound;
  return undefined;
}

function opaquePart(analysis: ShellAnalysis): UncoveredPart | undefined {
  const first = analysis.opaque[0];
  if (first !== undefined) {
    return { kind: "opaque", code: first.code, detail: `${first.why} (${first.text})`, line: analysis.line };
  }
  if (analysis.commands.length > 0 || analysis.blank) return undefined;
  return {
    kind: "opaque",
    code: "empty",
    detail: "Nothing that runs could be made out in the line.",
    line: analysis.line,
  };
}

function gradeCommands(facts: Facts, analysis: ShellAnalysis): readonly Grade[] {
  const { commands } = analysis;
  const { bash } = facts.policy.allow;
  const whole = findLine(bash, analysis.normalised, facts.now);
  const rules: (BoundRule | undefined)[] = new Array(commands.length);
  for (let index = 0; index < commands.length; index += 1) {
    const command = commands[index] as ShellCommand;
    rules[index] = whole ?? ruleFor(facts, command) ?? carriersRule(command, rules);
  }
  const grades: Grade[] = new Array(commands.length).fill(NONE);
  for (let index = commands.length - 1; index >= 0; index -= 1) {
    const command = commands[index];
    const bound = rules[index];
    if (command === undefined) continue;
    if (bound !== undefined) grades[index] = { by: "rule", bound };
    else grades[index] = ownGrade(facts, command) ?? innerGrade(commands, grades, index);
  }
  return grades;
}

function ruleFor(facts: Facts, command: ShellCommand): BoundRule | undefined {
  if (command.callsFunction) return undefined;
  return findAnyText(facts.policy.allow.bash, command.allowForms, command.words[0]?.value, facts.now);
}

/** A rule that names a wrapper as it is written covers what it wraps. */
function carriersRule(
  command: ShellCommand,
  rules: readonly (BoundRule | undefined)[],
): BoundRule | undefined {
  if (command.transparentCarrier !== true || command.carrier === undefined || command.callsFunction)
    return undefined;
  return rules[command.carrier];
}

/** What covers a command without any rule. */
function ownGrade(facts: Facts, command: ShellCommand): Grade | undefined {
  if (command.callsFunction) return NONE;
  if (command.bare) {
    return command.assignments.every((assignment) => assignment.harmless) ? BY_TABLE : NONE;
  }
  if (command.readOnly && needsHold(facts, command)) return BY_TABLE;
  if (command.editLike && facts.mode.allowsEdits && editsInside(facts, command)) return BY_EDIT;
  return undefined;
}

function needsHold(facts: Facts, command: ShellCommand): boolean {
  if (command.needs === undefined) return true;
  if (command.needs === "git-trusted") return isTrustedGit(facts, command);
  // The path that `cd` goes to is judged with the others; without it nothing is proved.
  return facts.lines.length === 1 && facts.paths.some(({ shell }) => shell?.command === command.index);
}

function editsInside(facts: Facts, command: ShellCommand): boolean {
  if (facts.lines.length !== 1) return false;
  const own = facts.paths.filter(({ shell }) => shell?.command === command.index && shell.by !== "redirect");
  const removesOnly = REMOVERS.has(command.words[0]?.value ?? "");
  return (
    own.length > 0 &&
    own.every(
      (target) =>
        isLiteralInside(target) &&
        // What is copied or moved along with a tree must not bring a protected name to another place.
        (removesOnly || target.resolutions.every(({ holds }) => holds === undefined)),
    )
  );
}

const REMOVERS: ReadonlySet<string> = new Set(["rm", "rmdir"]);

/** A wrapper that only passes on is covered as what it wraps is. */
function innerGrade(commands: readonly ShellCommand[], grades: readonly Grade[], carrier: number): Grade {
  let grade: Grade = NONE;
  let found = false;
  for (const inner of commands) {
    if (inner.carrier !== carrier || inner.transparentCarrier !== true) continue;
    const own = grades[inner.index] ?? NONE;
    if (own.by === "none") return NONE;
    if (!found || grade.by === "rule") grade = own;
    found = true;
  }
  return grade;
}

/** How what a command touches is covered, given how the command itself is. */
function coverPath(
  facts: Facts,
  target: ResolvedPathTarget,
  grade: Grade,
): BoundRule | "table" | "mode" | "none" {
  // A command that still needs a rule is judged as if it had one: that rule will be offered.
  const ruled = grade.by === "rule" || grade.by === "none";
  if (isRead(target)) {
    if (ruled || isInside(target)) return "table";
    return grantingRule(facts, target) ?? "none";
  }
  if (ruled && target.shell?.by !== "redirect" && isLiteralInside(target)) return "table";
  if (grade.by === "edit" && isLiteralInside(target)) return "mode";
  const bound = grantingRule(facts, target);
  if (bound !== undefined) return bound;
  return facts.mode.allowsEdits && isLiteralInside(target) ? "mode" : "none";
}
