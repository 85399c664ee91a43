import type { DecisionReason, MatchedRule } from "../protocol/index.ts";
import { placeOf } from "./policy/finding.ts";

/** A reason as one or two sentences. */
export function reasonText(reason: DecisionReason): string {
  switch (reason.type) {
    case "rule":
      return `${ruleText(reason.rule)} names this call.`;
    case "subcommand":
      return subcommandText(reason);
    case "mode":
      return `The mode is ${reason.mode}.`;
    case "toolPolicy":
      return `The tool's own policy is ${reason.policy}.`;
    case "serverPolicy":
      return `The server's policy for this tool is ${reason.policy}.`;
    case "risk":
      return `No rule allows the tool, and its risk is ${reason.level}.`;
    case "workingDirectory":
      return `The path \`${clip(reason.path)}\` is judged by the working directories.`;
    case "safetyCheck":
      return reason.path === undefined
        ? reason.detail
        : `${reason.detail} The path is \`${clip(reason.path)}\`.`;
    default:
      return reason.detail;
  }
}

function subcommandText({ command, reason }: Extract<DecisionReason, { type: "subcommand" }>): string {
  const part = `\`${clip(command)}\``;
  if (reason.type === "rule") return `${ruleText(reason.rule)} names ${part}.`;
  if (reason.type === "undecided") return `No rule allows the command ${part}.`;
  return `${reasonText(reason)} This is about ${part}.`;
}

/** `The deny rule Bash(git push:*) (projectSettings, .castellan/settings.json, line 3)`. */
export function ruleText(rule: MatchedRule): string {
  return `The ${rule.behavior} rule ${clip(rule.text)} (${placeOf(rule)})`;
}

/** Long texts of a call, cut for messages; line breaks shown as blanks. */
export function clip(text: string, longest = 160): string {
  const flat = text.replace(/\s+/gu, " ");
  return flat.length <= longest ? flat : `${flat.slice(0, longest - 1)}…`;
}
