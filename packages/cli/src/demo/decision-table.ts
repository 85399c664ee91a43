import { callText } from "../terminal/call-text.ts";
import { columnsOf, oneLine, padded, wrapped } from "../terminal/columns.ts";
import { decisionText } from "../terminal/decision-text.ts";
import type { Style } from "../terminal/style.ts";
import type { DecidedCall } from "./decisions.ts";

const MOST_FOR_CALL = 28;
const GAP = "  ";
const ANSWER_WIDTH = "answer".length;

/**
 * Every decision of a run as a table of at most `width` columns: the call, the answer, and the reason with its rule and
 * source, in full, on as many lines as it takes.
 */
export function decisionTable(calls: readonly DecidedCall[], style: Style, width: number): readonly string[] {
  const names = calls.map((call) => oneLine(`${call.tool} ${callText(call.input)}`, MOST_FOR_CALL));
  const nameWidth = Math.max("call".length, ...names.map(columnsOf));
  const whyWidth = Math.max(20, width - nameWidth - ANSWER_WIDTH - 3 * GAP.length);
  const row = (name: string, answer: string, why: string): string =>
    `${GAP}${padded(name, nameWidth)}${GAP}${answer}${GAP}${why}`;
  return [
    style.dim(row("call", padded("answer", ANSWER_WIDTH), "why")),
    ...calls.flatMap((call, index) => {
      const { behavior, asked } = call.decision;
      const colour = behavior === "deny" ? style.red : asked === true ? style.yellow : style.green;
      const [first = "", ...more] = wrapped(decisionText(call.decision, call.answeredBy), whyWidth);
      return [
        row(names[index] ?? "", colour(padded(behavior, ANSWER_WIDTH)), first),
        ...more.map((line) => row("", padded("", ANSWER_WIDTH), line)),
      ];
    }),
  ];
}
