import type { DecideCall } from "../permissions/index.ts";
import { compilePolicy, decide } from "../permissions/index.ts";
import type { Decision, DecisionReason, MatchedRule, ResolvedTarget } from "../protocol/index.ts";
import type { Judged } from "./types.ts";

/**
 * Reasons of step 2 that stand against an edited call and did not stand when the question was put:
 * nobody has answered these. Empty where the edit brought none.
 */
export function freshAsks(asked: Judged, edited: Judged, now: number): readonly string[] {
  if (edited.decision.behavior !== "ask" || !edited.decision.hard) return [];
  const known = new Set(hardAsks(asked, now).map((ask) => ask.key));
  return hardAsks(edited, now)
    .filter((ask) => !known.has(ask.key))
    .map((ask) => ask.message);
}

/** A safety check stands against the call, also where another question stands before it. */
export function asksForSafety(judged: Judged, now: number): boolean {
  if (judged.decision.behavior !== "ask") return false;
  return hardAsks(judged, now).some((ask) => ask.key.startsWith("safety:"));
}

interface HardAsk {
  readonly key: string;
  readonly message: string;
}

const MAX_LIFTS = 20;

/**
 * Every hard ask of a call. `decide()` names one; where that one can be lifted (a rule, a safety check,
 * a hook's or the tool's ask) the call is decided once more without it, to see what stands behind.
 */
function hardAsks(judged: Judged, now: number): readonly HardAsk[] {
  const found: HardAsk[] = [...dangers(judged), ...ofCheck(judged)];
  let context = judged.context;
  let policy = judged.policy;
  let decision: Decision = judged.decision;
  let call = callOf(judged);
  for (let i = 0; i < MAX_LIFTS && decision.behavior === "ask" && decision.hard; i++) {
    const reason = innermost(decision.reason);
    found.push({ key: keyOf(reason, call, decision.rule), message: decision.message });
    if (reason.type === "settings") {
      context = without(context, "brokenSettings");
      policy = compilePolicy(context);
    } else if (reason.type === "rule") {
      const rules = context.rules.filter((rule) => !isSame(rule, reason.rule));
      if (rules.length === context.rules.length) return found;
      context = { ...context, rules };
      policy = compilePolicy(context);
    } else if (reason.type === "safetyCheck") {
      if (found.filter((ask) => ask.key.startsWith("safety:")).length > 1) return found;
      call = { ...call, targets: call.targets.map(withoutDangers) };
    } else if (reason.type === "hook") {
      call = without(call, "hooks");
    } else if (reason.type === "tool" && call.tool.requiresUser) {
      call = { ...call, tool: { ...call.tool, requiresUser: false } };
    } else if (reason.type === "tool") {
      call = without(call, "check");
    } else if (reason.type === "toolPolicy") {
      call = { ...call, tool: without(call.tool, "permissionPolicy") };
    } else {
      return found;
    }
    decision = decide(call, policy, now);
  }
  return found;
}

/** Safety checks stop at the first; each path that makes one counts by itself. */
function dangers(judged: Judged): readonly HardAsk[] {
  return judged.targets.flatMap((target) => {
    if (target.kind !== "path" || target.access === "read" || target.access === "list") return [];
    return target.resolutions.flatMap((path) => {
      const why = path.removesRoot ?? path.suspicious ?? path.protected?.name;
      if (why === undefined) return [];
      return [{ key: `path:${path.real ?? path.given}`, message: `${path.given} is protected (${why}).` }];
    });
  });
}

/** The target as if nothing about its place were dangerous. */
function withoutDangers(target: ResolvedTarget): ResolvedTarget {
  if (target.kind !== "path") return target;
  const resolutions = target.resolutions.map((path) =>
    without(without(without(path, "protected"), "suspicious"), "removesRoot"),
  );
  return { ...target, resolutions };
}

/** The check's own question is kept by what it answers, also where the decision never came to it. */
function ofCheck({ check, facts }: Judged): readonly HardAsk[] {
  if (check === undefined || ("behavior" in check && !(check.behavior === "ask" && check.kept === true)))
    return [];
  return [{ key: "tool:check", message: `The check of ${facts.name} asks about it.` }];
}

function callOf(judged: Judged): DecideCall {
  const { facts, input, targets, check, prepared } = judged;
  return {
    tool: facts,
    input,
    targets,
    ...(check === undefined ? {} : { check }),
    ...(prepared.hooks === undefined ? {} : { hooks: prepared.hooks }),
  };
}

function keyOf(reason: DecisionReason, call: DecideCall, rule: MatchedRule | undefined): string {
  switch (reason.type) {
    case "rule":
      return `rule:${reason.rule.source}:${reason.rule.file ?? ""}:${reason.rule.text}`;
    case "safetyCheck":
      return `safety:${reason.path ?? reason.detail}`;
    case "opaque":
      return `opaque:${reason.code}:${rule?.text ?? ""}`;
    case "tool":
      return call.tool.requiresUser ? "tool:user" : "tool:check";
    default:
      return reason.type;
  }
}

function innermost(reason: DecisionReason): DecisionReason {
  return reason.type === "subcommand" ? innermost(reason.reason) : reason;
}

function isSame(rule: Judged["context"]["rules"][number], matched: MatchedRule): boolean {
  return rule.text === matched.text && rule.behavior === matched.behavior && rule.source === matched.source;
}

function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> & T {
  const copy: T = { ...value };
  delete copy[key];
  return copy;
}
