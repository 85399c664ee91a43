/** What a measurement is held against. */
export interface Bar {
  readonly first: number;
  readonly goal: number;
  readonly higherIsBetter?: boolean;
}

export const BARS = {
  finalText: { first: 2, goal: 1.3 },
  turn: { first: 2.5, goal: 1.5 },
  growth: { first: 1.3, goal: 1.3 },
  delta: { first: 2.5, goal: 1.5 },
  throughput: { first: 0.4, goal: 0.6, higherIsBetter: true },
  memoryMb: { first: 0.8, goal: 0.5 },
  /** Microseconds over the handler. */
  callInProcess: { first: 50, goal: 50 },
  /** A second of CPU time, with 1,000 rules. */
  fileDecisions: { first: 100_000, goal: 100_000, higherIsBetter: true },
  newLines: { first: 20_000, goal: 20_000, higherIsBetter: true },
  repeatedLines: { first: 500_000, goal: 500_000, higherIsBetter: true },
  /** The cost with 5,000 rules to the cost with 50. */
  rules: { first: 2, goal: 2 },
  /** Milliseconds for the worst line. */
  hostileMs: { first: 50, goal: 50 },
  /** Heap and memory outside it, of 500 sessions. */
  waitingMb: { first: 20, goal: 20 },
  /** A turn that is flushed to one that is not and one fdatasync. */
  power: { first: 1.3, goal: 1.3 },
  /** Of 50 sessions with 200 calls that wait. */
  inboxMs: { first: 50, goal: 50 },
  /** 100,000 events. */
  resumeMs: { first: 2_000, goal: 2_000 },
  /** What 500 running sessions may grow by from one third of the time to the next. */
  enduranceHeapMb: { first: 5, goal: 5 },
  enduranceRssMb: { first: 20, goal: 20 },
  enduranceFiles: { first: 2, goal: 2 },
  /** What one session holds more at its last turn than at the end of its first tenth. */
  longHeapMb: { first: 2, goal: 1 },
  importMs: { first: 80, goal: 40 },
  installedMb: { first: 25, goal: 10 },
  packages: { first: 25, goal: 8 },
} as const satisfies Readonly<Record<string, Bar>>;

export type Verdict = "goal" | "pass" | "short" | "";

export function judge(value: number, bar: Bar | undefined): Verdict {
  if (bar === undefined) return "";
  const reaches = (limit: number): boolean => (bar.higherIsBetter === true ? value >= limit : value <= limit);
  if (reaches(bar.goal)) return "goal";
  return reaches(bar.first) ? "pass" : "short";
}
