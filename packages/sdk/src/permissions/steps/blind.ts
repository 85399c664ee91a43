import type { ResolvedPathTarget } from "../../protocol/index.ts";
import { isKeptOpacity } from "../../protocol/index.ts";
import { isRead } from "../cover/paths.ts";
import { type Facts, isUnseenShell } from "../facts/facts.ts";
import { describedPaths, reachesBelow } from "../facts/path-forms.ts";
import { type BoundRule, firstLive } from "../policy/bound-rule.ts";
import { findPossiblePath } from "../policy/described-paths.ts";
import { anyPathRule, type PathIndex, type PathRule } from "../policy/path-index.ts";
import type { RuleSet } from "../policy/rule-set.ts";
import { findPossibleText } from "../policy/text-index.ts";
import { type Outcome, outcome } from "./outcome.ts";

/** What cannot be seen through, while a deny or ask rule might bind it: asked about in every mode. */
export function blindAsks(facts: Facts): Outcome | undefined {
  return (
    keptAsk(facts) ??
    unseenAsk(facts) ??
    opaqueAsk(facts) ??
    unknownWordAsk(facts) ??
    pathAsk(facts) ??
    hostAsk(facts)
  );
}

function blind(code: string, detail: string, bound?: BoundRule): Outcome {
  return outcome("ask", { type: "opaque", code, detail }, bound?.rule);
}

function sets(facts: Facts): readonly RuleSet[] {
  return [facts.policy.deny, facts.policy.ask];
}

function keptAsk(facts: Facts): Outcome | undefined {
  for (const line of facts.lines) {
    const found = line.opaque.find(({ code }) => isKeptOpacity(code));
    if (found !== undefined) return blind(found.code, found.why);
  }
  return undefined;
}

/** PowerShell, REPL, or a Bash call without an analysis: nothing is known of what it runs. */
function unseenAsk(facts: Facts): Outcome | undefined {
  if (!isUnseenShell(facts)) return undefined;
  for (const set of sets(facts)) {
    const bound = firstLive(set.whole.get("bash"), facts.now) ?? ruleWithSpecifier(set, facts.now);
    if (bound !== undefined) {
      return blind("unseen", `What ${facts.call.tool.name} runs cannot be compared with rules.`, bound);
    }
  }
  return undefined;
}

/** A rule that some part of a line might fall under. */
function ruleWithSpecifier(set: RuleSet, now: number): BoundRule | undefined {
  return firstLive(set.bash.all, now) ?? anyPathRule(set.read, now) ?? anyPathRule(set.edit, now);
}

function opaqueAsk(facts: Facts): Outcome | undefined {
  for (const line of facts.lines) {
    const nothing = line.commands.length === 0 && !line.blank;
    const first = line.opaque[0];
    if (first === undefined && !nothing) continue;
    for (const set of sets(facts)) {
      const bound = ruleWithSpecifier(set, facts.now);
      if (bound === undefined) continue;
      return first === undefined
        ? blind("empty", "Nothing that runs could be made out in the line.", bound)
        : blind(first.code, `${first.why} (${first.text})`, bound);
    }
  }
  return undefined;
}

function unknownWordAsk(facts: Facts): Outcome | undefined {
  for (const line of facts.lines) {
    for (const command of line.commands) {
      // The list that all commands without one share is frozen: to go through it in a loop makes objects.
      if (command.unknownForms.length === 0) continue;
      for (const form of command.unknownForms) {
        for (const set of sets(facts)) {
          const bound = findPossibleText(set.bash, form.pieces, facts.now);
          if (bound === undefined) continue;
          const detail = `A word of \`${command.text}\` is not known before it runs, and some value of it would match the rule.`;
          return blind("unknown-word", detail, bound);
        }
      }
    }
  }
  return undefined;
}

function pathAsk(facts: Facts): Outcome | undefined {
  const both = sets(facts);
  for (const target of facts.paths) {
    for (const set of both) {
      for (const index of isRead(target) ? set.onRead : set.onWrite) {
        if (index.all.length === 0) continue;
        const found = possibleRule(target, index, facts.now);
        if (found === undefined) continue;
        return blind("may-reach", `\`${target.path}\` could reach a path that the rule names.`, found);
      }
    }
  }
  return undefined;
}

function possibleRule(target: ResolvedPathTarget, index: PathIndex, now: number): PathRule | undefined {
  if (target.unknown || target.resolutions.length === 0) return anyPathRule(index, now);
  for (const resolution of target.resolutions) {
    if (resolution.real === undefined) return anyPathRule(index, now);
    if (target.glob !== true && !reachesBelow(target, resolution)) continue;
    // A tool that leaves out what it may not read is asked only about its root, which step 1 did.
    if (target.filtered && target.glob !== true) continue;
    for (const described of describedPaths(target, resolution)) {
      const found = findPossiblePath(index, described, now);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** A URL of unknown host under a rule on a domain. */
function hostAsk(facts: Facts): Outcome | undefined {
  if (!facts.hosts.some(({ host }) => host === undefined)) return undefined;
  for (const set of sets(facts)) {
    const bound = firstLive(set.domains, facts.now);
    if (bound !== undefined) return blind("unknown-host", "The host is not known before it runs.", bound);
  }
  return undefined;
}
