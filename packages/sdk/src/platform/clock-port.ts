/** A handle of `Clock.timer`. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds that never jump back; only differences mean something. */
  monotonic(): number;
  /** Calls `fire` once after `ms`. An `idle` timer does not keep the process alive. */
  timer(ms: number, fire: () => void, idle?: boolean): Timer;
}
