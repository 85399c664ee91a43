import type { Decision, PermissionUpdate } from "../protocol/index.ts";
import { clip, ruleText } from "./reason-text.ts";
import { formatRule } from "./rule/parse.ts";

const WIDTH = 100;
const MOST_LINES = 12;

/** Why a decision is what it is, in at most 12 lines of at most 100 columns: for terminals and logs. */
export function explainDecision(decision: Decision): string {
  const settled = decision.trace.findLast((step) => step.step !== 6) ?? decision.trace.at(-1);
  const lines = [
    ...wrap(`${decision.behavior}: ${decision.message}`, 4),
    ...subcommandLines(decision),
    ...(decision.rule === undefined ? [] : wrap(`rule: ${ruleText(decision.rule)}`, 2)),
    ...(settled === undefined
      ? []
      : wrap(
          `step ${settled.step}: ${settled.check} -> ${settled.outcome}${settled.detail === undefined ? "" : `: ${settled.detail}`}`,
          2,
        )),
    ...changeLines(decision),
  ];
  return lines.slice(0, MOST_LINES).join("\n");
}

function subcommandLines({ reason }: Decision): string[] {
  if (reason.type !== "subcommand") return [];
  return [`sub-command: ${clip(reason.command, WIDTH - 13)}`];
}

/** What would change the answer. */
function changeLines(decision: Decision): string[] {
  if (decision.behavior === "allow") return [];
  const offers = decision.suggestions.flatMap(offerTexts);
  if (offers.length > 0) return wrap(`would be allowed by: ${offers.join(", ")}`, 2);
  if (decision.behavior === "deny" && decision.reason.type !== "mode") {
    const rule = decision.rule?.text;
    return wrap(rule === undefined ? "no rule lifts this" : `only without the rule ${rule}`, 2);
  }
  return [
    decision.hard ? "no mode and no allow rule lifts this question" : "no rule is offered for this call",
  ];
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
    const end = blank > room / 2 ? blank : room;
    lines.push(indent + rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}
