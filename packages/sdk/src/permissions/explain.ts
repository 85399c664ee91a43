import type { Decision, DecisionReason, PermissionUpdate, TraceStep } from "../protocol/index.ts";
import { placeOf } from "./policy/finding.ts";
import { clip } from "./reason-text.ts";
import { formatRule, parseRule } from "./rule/parse.ts";
import { RULE_TO_OFFER } from "./trace.ts";

const WIDTH = 100;
const MOST_LINES = 12;

/**
 * Why a decision is what it is, in at most 12 lines of at most 100 columns, for terminals and logs: the answer, the part
 * of the call that it is about, the rule with its place, the step that settled it, and what would change it.
 */
export function explainDecision(decision: Decision): string {
  const { behavior, message, trace } = decision;
  const settled = trace.findLast((step) => step.step !== 6) ?? trace.at(-1);
  const lines = [
    ...wrap(`${behavior}: ${message}`, 4),
    ...subcommandLines(decision),
    ...ruleLines(decision),
    ...(settled === undefined ? [] : wrap(stepText(settled, decision), 2)),
    ...changeLines(decision),
  ];
  return lines.slice(0, MOST_LINES).join("\n");
}

function subcommandLines({ reason }: Decision): string[] {
  if (reason.type !== "subcommand") return [];
  return [`sub-command: ${clip(reason.command, WIDTH - 13)}`];
}

function ruleLines({ rule }: Decision): string[] {
  if (rule === undefined) return [];
  const { text, behavior } = rule;
  const whole = isReadable(text) ? "" : ", which cannot be read and so binds its whole tool";
  return wrap(`rule: ${behavior} ${clip(text)} (${placeOf(rule)})${whole}`, 2);
}

function isReadable(text: string): boolean {
  return !("error" in parseRule(text));
}

const STEPS = ["the input", "deny", "hard ask", "mode", "allow", "what is left", "the ask chain"] as const;

/** What the message says already is not said again. */
function stepText({ step, check, outcome, detail }: TraceStep, decision: Decision): string {
  const last = decision.trace.at(-1);
  const turned = last?.step === 6 && step !== 6 ? `; then ${last.check} -> ${last.outcome}` : "";
  const told = decision.reason.type === "workingDirectory" || decision.message.includes(detail ?? "");
  const more = told ? "" : ` (${detail?.replace(/\.$/u, "")})`;
  return `step ${step} (${STEPS[step]}): ${check} -> ${outcome}${more}${turned}`;
}

/** What would change the answer. */
function changeLines(decision: Decision): string[] {
  if (decision.behavior === "allow") return [];
  const offers = decision.suggestions.flatMap(offerTexts);
  if (offers.length > 0) return wrap(`would be allowed by: ${offers.join(", ")}`, 2);
  return wrap(wayOut(decision), 2);
}

function wayOut(decision: Decision): string {
  const { rule } = decision;
  const reason = innermost(decision.reason);
  switch (reason.type) {
    case "safetyCheck":
      if (reason.liftedBy === undefined) break;
      return `would be lifted by nothing but the allow rule ${reason.liftedBy.join(" with ")}`;
    case "planCeiling":
      return "only outside plan mode; no rule lifts its ceiling";
    case "hook":
      return "only the hook can say otherwise";
    case "toolPolicy":
      return "only without the policy that the tool itself declares";
    case "serverPolicy":
      return "only without the policy of the server's configuration";
    case "settings":
      return "only when that setting is mended or taken out; no rule lifts it";
    case "invalid":
      return "only with an input that fits the tool";
    case "opaque":
      if (rule !== undefined)
        return `only without the rule ${rule.text}, or in words that can be seen through`;
      if (decision.hard) break;
      return "no rule is offered for this call; in words that can be seen through there may be one";
    default:
      if (rule === undefined) break;
      return isReadable(rule.text)
        ? `only without the rule ${rule.text}`
        : `only once the rule ${rule.text} is mended or taken out`;
  }
  if (decision.hard) return "no mode and no allow rule lifts this question";
  const none = decision.trace.find(({ check }) => check === RULE_TO_OFFER)?.detail;
  if (none !== undefined) return `no rule is offered, ${none}`;
  return decision.behavior === "deny" && reason.type !== "mode"
    ? "no rule lifts this"
    : "no rule is offered for this call";
}

function innermost(reason: DecisionReason): DecisionReason {
  return reason.type === "subcommand" ? innermost(reason.reason) : reason;
}

function offerTexts(update: PermissionUpdate): string[] {
  if ("rules" in update) return update.rules.map(formatRule);
  if ("directories" in update)
    return update.directories.map((directory) => `additional directory ${directory}`);
  return [`mode ${update.mode}`];
}

/** Cuts a text into at most `most` lines; later ones are indented, the last is cut short. */
function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  let rest = text.replace(/\s+/gu, " ").trim();
  while (rest !== "") {
    const indent = lines.length === 0 ? "" : "  ";
    const room = WIDTH - indent.length;
    if (rest.length <= room) {
      lines.push(indent + rest);
      break;
    }
    if (lines.length === most - 1) {
      lines.push(indent + clip(rest, room));
      break;
    }
    const blank = rest.lastIndexOf(" ", room);
    const end = blank > room / 5 ? blank : room;
    lines.push(indent + rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}
