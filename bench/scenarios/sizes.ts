/** How much is measured. */
export interface Sizes {
  /** Processes a row and engine. */
  readonly rounds: number;
  /** Of the rows that take a fraction of a second each. */
  readonly shortRounds: number;
  readonly turns: readonly [short: number, long: number];
  readonly memory: readonly [one: number, few: number, many: number];
  readonly sessions: number;
  readonly atOnce: number;
  readonly deltas: number;
  /** Decisions of each kind in a round. */
  readonly decisions: number;
  /** Sessions that wait for a person. */
  readonly waiting: number;
  /** Sessions that wait in the inbox, with four calls each. */
  readonly inbox: number;
  /** Of the log that is resumed. */
  readonly events: number;
  /** Turns of the session that sums up its history. */
  readonly longTurns: number;
  /** How long sessions run, and how many at once. */
  readonly minutes: number;
  readonly running: number;
}

export const FULL: Sizes = {
  rounds: 5,
  shortRounds: 11,
  turns: [100, 500],
  memory: [1, 20, 200],
  sessions: 200,
  atOnce: 20,
  deltas: 5_000,
  decisions: 10_000,
  waiting: 500,
  inbox: 50,
  events: 100_000,
  longTurns: 1_000,
  minutes: 1,
  running: 500,
};

/** Enough to see that every scenario runs. */
export const SMOKE: Sizes = {
  rounds: 1,
  shortRounds: 1,
  turns: [15, 30],
  memory: [1, 3, 9],
  sessions: 10,
  atOnce: 5,
  deltas: 300,
  decisions: 200,
  waiting: 10,
  inbox: 5,
  events: 2_500,
  longTurns: 100,
  minutes: 0.1,
  running: 20,
};
