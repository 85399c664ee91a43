import type { PathResolution, ResolvedPathTarget } from "../../protocol/index.ts";
import { isRead } from "../cover/paths.ts";
import type { Facts } from "../facts/facts.ts";
import { describedPaths, firstForm } from "../facts/path-forms.ts";
import type { BoundRule } from "../policy/bound-rule.ts";
import { findCoveringPath } from "../policy/described-paths.ts";
import { findPath, type PathForm, type PathIndex, type PathRule } from "../policy/path-index.ts";
import type { RuleSet } from "../policy/rule-set.ts";
import { namesItself } from "../rule/path-match.ts";

/** The first path target that a rule names for certain. */
export function bindingPath(
  facts: Facts,
  set: RuleSet,
): { bound: BoundRule; path: string; command?: string } | undefined {
  if (set.read.all.length === 0 && set.edit.all.length === 0) return undefined;
  for (const target of facts.paths) {
    for (const index of isRead(target) ? set.onRead : set.onWrite) {
      if (index.all.length === 0) continue;
      for (const resolution of target.resolutions) {
        const bound = bindingRule(target, resolution, index, facts.now);
        if (bound !== undefined) return withCommand(facts, target, bound);
      }
    }
  }
  return undefined;
}

function withCommand(
  facts: Facts,
  target: ResolvedPathTarget,
  bound: BoundRule,
): { bound: BoundRule; path: string; command?: string } {
  const line = facts.lines.length === 1 ? facts.lines[0] : undefined;
  const command = target.shell === undefined ? undefined : line?.commands[target.shell.command];
  return command === undefined
    ? { bound, path: target.path }
    : { bound, path: target.path, command: command.text };
}

function bindingRule(
  target: ResolvedPathTarget,
  resolution: PathResolution,
  index: PathIndex,
  now: number,
): PathRule | undefined {
  if (target.glob) {
    for (const described of describedPaths(target, resolution)) {
      const found = findCoveringPath(index, described, now);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const lists = target.access === "list";
  return firstForm(resolution, (form) =>
    findPath(index, form, now, lists ? (rule) => forbidsListing(rule, form, resolution) : undefined),
  );
}

/** Naming a denied file to `ls` reads nothing of it; listing a denied directory shows what is in it. */
function forbidsListing(rule: PathRule, form: PathForm, resolution: PathResolution): boolean {
  if (resolution.exists && resolution.directory === false) return !namesItself(rule.pattern, form.components);
  return (
    resolution.directory === true || rule.pattern.container || !namesItself(rule.pattern, form.components)
  );
}
