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
};
