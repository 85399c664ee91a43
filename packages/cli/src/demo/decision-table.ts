import { callText } from "../terminal/call-text.ts";
import { oneLine, type Style } from "../terminal/style.ts";
import type { DecidedCall } from "./decisions.ts";

/** Every decision of a run as a table: the call, the answer, and the reason with its rule and source. */
export function decisionTable(calls: readonly DecidedCall[], style: Style, width: number): readonly string[] {
  const rows = calls.map((call) => ({
    call: oneLine(`${call.tool} ${callText(call.input)}`, 34),
    answer: call.decision.behavior,
    asked: call.decision.asked === true,
    why: why(call),
  }));
  const first = Math.max(4, ...rows.map((row) => row.call.length));
  const rest = Math.max(24, width - first - 16);
  const line = (call: string, answer: string, reason: string): string => `  ${call}  ${answer}  ${reason}`;
  return [
    style.dim(line("call".padEnd(first), "decision".padEnd(8), "why")),
    ...rows.map((row) => {
      const colour = row.answer === "deny" ? style.red : row.asked ? style.yellow : style.green;
      return line(row.call.padEnd(first), colour(row.answer.padEnd(8)), oneLine(row.why, rest));
    }),
  ];
}

/** The reason of one decision in a few words, the rule and where it stands first. */
export function why(call: DecidedCall): string {
  const { decision } = call;
  const { rule } = decision;
  if (rule !== undefined && decision.asked !== true) {
    const place = rule.file === undefined ? rule.source : `${rule.source}, ${rule.file}`;
    return `rule ${rule.text} (${place})`;
  }
  return decision.message.split("\n")[0] ?? decision.reason.type;
}
