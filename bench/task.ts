/**
 * The work that every engine does: the model asks for one row after the other, then says some words. What comes next
 * stands in the newest message, so the server keeps no state.
 */
export interface Task {
  /** Model requests: all but the last are answered with one tool call. */
  readonly turns: number;
  /** Deltas of the last answer. */
  readonly words: number;
  /** The last answer waits until the server is told to release it. */
  readonly hold?: boolean;
}

/** What an engine is given for one session. */
export interface Session extends Task {
  readonly url: string;
  /** Permission rules, for engines that have them; default 10. */
  readonly rules?: number;
  /** Called once a tool call, in the place of a tool's own work. */
  readonly onCall?: (row: number) => void;
  /** The program looks at every delta. */
  readonly onDelta?: (text: string) => void;
}

/** Runs one session to its end and gives the final text. */
export type Engine = (session: Session) => Promise<string>;

export const MODEL = "claude-opus-4-5";
export const KEY = "bench-key";
export const SYSTEM = "You read rows of a table, one at a time, and then tell what stood in them.";
export const TOOL = {
  name: "read_row",
  description: "Reads one row of the table.",
  schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
} as const;

const FILLER = "Quarterly figures by region, as they were entered and before they were corrected. ".repeat(4);

export function prompt(task: Task): string {
  return `Read every row. ${marker(0, task)}`;
}

/** What the tool gives back: about 400 characters. */
export function readRow(n: number, session: Session): string {
  session.onCall?.(n);
  return `${FILLER}${marker(n, session)}`;
}

function marker(row: number, { turns, words, hold }: Task): string {
  return `[row ${row} of ${turns - 1}, then ${words} ${hold === true ? "held" : "free"}]`;
}

/** The newest marker of a request. */
export function readMarker(body: Buffer): {
  readonly row: number;
  readonly rows: number;
  readonly words: number;
  readonly hold: boolean;
} {
  const at = body.lastIndexOf("[row ");
  const found = /^\[row (\d+) of (\d+), then (\d+) (held|free)\]/.exec(body.toString("latin1", at, at + 80));
  if (at < 0 || found === null) throw new Error("The request has no marker.");
  return {
    row: Number(found[1]),
    rows: Number(found[2]),
    words: Number(found[3]),
    hold: found[4] === "held",
  };
}
