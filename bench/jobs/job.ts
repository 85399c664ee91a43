/** What a child process is asked to do. */
export type Job = { readonly url: string } & (
  | { readonly kind: "start" }
  | { readonly kind: "turns"; readonly turns: number; readonly warmUp: number }
  | { readonly kind: "memory"; readonly sessions: number }
  | {
      readonly kind: "throughput";
      readonly sessions: number;
      readonly turns: number;
      readonly atOnce: number;
    }
  | { readonly kind: "deltas"; readonly deltas: number; readonly warmUp: number }
);

export type JobOf<K extends Job["kind"]> = Extract<Job, { kind: K }>;

/** Milliseconds, and MB for memory. */
export type JobResult = { readonly [name: string]: number };
