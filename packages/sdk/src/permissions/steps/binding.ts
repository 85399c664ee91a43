import type { DecisionReason, ShellAnalysis } from "../../protocol/index.ts";
import type { Facts } from "../facts/facts.ts";
import { type BoundRule, firstLive, isLive, matchedRule } from "../policy/bound-rule.ts";
import { findBindingMcp } from "../policy/mcp-index.ts";
import type { RuleSet } from "../policy/rule-set.ts";
import { findAnyText, findLine, type TextIndex } from "../policy/text-index.ts";
import { foldHost, matchesHost } from "../rule/host-pattern.ts";
import { saysYes } from "../rule/says-yes.ts";
import { matchesText } from "../rule/text-pattern.ts";
import { bindingPath } from "./binding-path.ts";

/** A deny or ask rule that binds the call, and the part of the call that it names. */
export interface Binding {
  readonly bound: BoundRule;
  readonly command?: string;
  readonly path?: string;
}

/** A rule on the whole tool. */
export function wholeBinding(facts: Facts, set: RuleSet): Binding | undefined {
  const { now } = facts;
  for (const name of facts.foldedNames) {
    const bound = firstLive(set.whole.get(name), now);
    if (bound !== undefined) return { bound };
  }
  const shell = facts.lines.length > 0 ? firstLive(set.whole.get("bash"), now) : undefined;
  const server = findBindingMcp(set.mcp, facts.mcpNames, now);
  const bound = shell ?? server ?? firstLive(set.every, now);
  return bound === undefined ? undefined : { bound };
}

/** A rule with a specifier that names a target, for certain. */
export function targetBinding(facts: Facts, set: RuleSet): Binding | undefined {
  return (
    commandBinding(facts, set.bash) ??
    bindingPath(facts, set) ??
    hostBinding(facts, set) ??
    nameBinding(facts, set)
  );
}

function commandBinding(facts: Facts, index: TextIndex): Binding | undefined {
  if (index.all.length === 0) return undefined;
  for (const analysis of facts.lines) {
    const found = lineBinding(analysis, index, facts.now);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lineBinding(analysis: ShellAnalysis, index: TextIndex, now: number): Binding | undefined {
  for (const command of analysis.commands) {
    // The allow forms are tried as well, so that deny can never see less than allow does.
    const { denyForms, allowForms } = command;
    const likely = command.words[0]?.value;
    const bound =
      findAnyText(index, denyForms, likely, now) ??
      (allowForms === denyForms ? undefined : findAnyText(index, allowForms, likely, now));
    if (bound !== undefined) return { bound, command: command.text };
  }
  const bound = findLine(index, analysis.normalised, now);
  return bound === undefined ? undefined : { bound, command: analysis.line };
}

function hostBinding(facts: Facts, set: RuleSet): Binding | undefined {
  if (set.domains.length === 0) return undefined;
  for (const { host } of facts.hosts) {
    if (host === undefined) continue;
    const folded = foldHost(host);
    const bound = set.domains.find(
      (rule) => isLive(rule, facts.now) && matchesHost(rule.pattern, folded, true),
    );
    if (bound !== undefined) return { bound, ...commandOf(host, facts) };
  }
  return undefined;
}

/** The command of a line that reaches a host. */
function commandOf(host: string, { lines }: Facts): Pick<Binding, "command"> {
  for (const { hosts, commands } of lines) {
    const found = hosts.find((each) => each.host === host);
    const command = found === undefined ? undefined : commands[found.command];
    if (command !== undefined) return { command: command.text };
  }
  return {};
}

function nameBinding(facts: Facts, set: RuleSet): Binding | undefined {
  if (set.names.size === 0) return undefined;
  const bound =
    textAmong(set, ["agent"], facts.agents, facts.now) ??
    textAmong(set, facts.foldedNames, facts.names, facts.now) ??
    specifierBinding(facts, set);
  return bound === undefined ? undefined : { bound };
}

function textAmong(
  set: RuleSet,
  tools: readonly string[],
  values: readonly string[],
  now: number,
): BoundRule | undefined {
  for (const tool of tools) {
    const found = set.names
      .get(tool)
      ?.find(
        (rule) =>
          isLive(rule, now) &&
          values.some(
            (value) =>
              matchesText(rule.pattern, value) ||
              (rule.folded !== undefined && matchesText(rule.folded, value.toLowerCase())),
          ),
      );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the tool itself says of a rule's specifier. A test that fails lets the rule bind. */
function specifierBinding(facts: Facts, set: RuleSet): BoundRule | undefined {
  const { matchesSpecifier } = facts.call.tool;
  if (matchesSpecifier === undefined) return undefined;
  for (const name of facts.foldedNames) {
    const found = set.names
      .get(name)
      ?.find((rule) => isLive(rule, facts.now) && saysYes(matchesSpecifier, rule.specifier, true));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The reason of a decision that a rule settled, with the sub-command that it names where there is one. */
export function reasonOf(binding: Binding): DecisionReason {
  const reason: DecisionReason = { type: "rule", rule: matchedRule(binding.bound.rule) };
  return binding.command === undefined ? reason : { type: "subcommand", command: binding.command, reason };
}
