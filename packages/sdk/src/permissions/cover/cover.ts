import type { ResolvedTarget } from "../../protocol/index.ts";
import type { Facts } from "../facts/facts.ts";
import { type BoundRule, isLive } from "../policy/bound-rule.ts";
import { findAllowedMcp } from "../policy/mcp-index.ts";
import { foldHost, matchesHost } from "../rule/host-pattern.ts";
import { saysYes } from "../rule/says-yes.ts";
import { matchesText } from "../rule/text-pattern.ts";
import type { Coverage, UncoveredPart } from "./part.ts";
import { grantingRule, isInside, isLiteralInside, isRead } from "./paths.ts";
import { coverShell } from "./shell.ts";

/** Looks for something that allows each part of a call: a rule, the working directories, the mode's edits. */
export function coverTargets(facts: Facts): Coverage {
  facts.made.coverage ??= look(facts);
  return facts.made.coverage;
}

function look(facts: Facts): Coverage {
  const { targets } = facts.call;
  if (targets.length === 0) return { uncovered: [{ kind: "tool" }], byMode: false };
  const uncovered: UncoveredPart[] = [];
  let byMode = false;
  let bound: BoundRule | undefined;
  if (facts.lines.length > 0) {
    const shell = coverShell(facts, uncovered);
    bound = shell.bound;
    byMode = shell.byMode;
  }
  for (const target of targets) {
    if (target.kind === "command") continue;
    if (target.kind === "path") {
      if (target.shell !== undefined && facts.lines.length > 0) continue;
      const rule = grantingRule(facts, target);
      if (rule !== undefined) bound ??= rule;
      else if (isRead(target) && readsFreely(facts) && isInside(target)) continue;
      else if (!isRead(target) && editsFreely(facts) && isLiteralInside(target)) byMode = true;
      else uncovered.push({ kind: "path", target, need: isRead(target) ? "read" : "edit" });
      continue;
    }
    // Which hosts a shell command reaches is covered with the command.
    if (target.kind === "host" && target.via === "shell" && facts.lines.length > 0) continue;
    const rule = ruleOnTarget(facts, target);
    if (rule !== undefined) bound ??= rule;
    else uncovered.push({ kind: "target", target });
  }
  return bound === undefined ? { uncovered, byMode } : { uncovered, rule: bound.rule, byMode };
}

/** Declared targets say all about a tool that is our own, or that its author vouches for. */
function isOwnWord(facts: Facts): boolean {
  const { source, riskLevel } = facts.call.tool;
  return source === "builtin" || (source === "custom" && riskLevel === "low");
}

function readsFreely(facts: Facts): boolean {
  return isOwnWord(facts) && (facts.call.tool.readOnly || facts.paths.some((target) => !isRead(target)));
}

function editsFreely(facts: Facts): boolean {
  return facts.mode.allowsEdits && isOwnWord(facts);
}

function ruleOnTarget(
  facts: Facts,
  target: Exclude<ResolvedTarget, { kind: "path" | "command" }>,
): BoundRule | undefined {
  const { allow } = facts.policy;
  const live = (bound: BoundRule): boolean => isLive(bound, facts.now);
  switch (target.kind) {
    case "mcp":
      return findAllowedMcp(allow.mcp, target, facts.now);
    case "host": {
      const host = target.host === undefined ? undefined : foldHost(target.host);
      if (host === undefined) return undefined;
      return allow.domains.find((rule) => live(rule) && matchesHost(rule.pattern, host, false));
    }
    case "agent":
      return allow.names.get("Agent")?.find((rule) => live(rule) && matchesText(rule.pattern, target.type));
    case "name": {
      const own = facts.call.tool.matchesSpecifier;
      for (const name of facts.exactNames) {
        const found = allow.names
          .get(name)
          ?.find(
            (rule) =>
              live(rule) &&
              (matchesText(rule.pattern, target.value) ||
                (own !== undefined && saysYes(own, rule.specifier, false))),
          );
        if (found !== undefined) return found;
      }
      return undefined;
    }
  }
}
