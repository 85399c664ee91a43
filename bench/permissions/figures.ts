/** What one process measured. Everything is CPU time, the best of its rounds. */
export interface Figures {
  /** Microseconds a decision, by the number of rules. */
  readonly rules: Readonly<Record<number, Costs>>;
  /** Microseconds that the parser alone takes for one of the new lines. */
  readonly parser: number;
  /** Milliseconds for each hostile line, targets and decision included, under 1,000 rules. */
  readonly hostile: Readonly<Record<string, number>>;
  /** How often each behaviour was the answer: none of them 0, or the bench measures a short cut. */
  readonly answers: Readonly<Record<"allow" | "ask" | "deny", number>>;
}

export interface Costs {
  readonly file: number;
  readonly server: number;
  /** Lines that were never seen: analysis, targets, decision. */
  readonly fresh: number;
  /** The same for lines of a session that come again, from the third time on: the second costs what the first did. */
  readonly again: number;
}
