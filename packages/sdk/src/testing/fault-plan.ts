/** What can happen to one call of a store. */
export type StoreFault =
  /** It takes a while, and so do the calls behind it. */
  | "delay"
  /** It is delivered twice, as by a network that repeats what it takes for lost. */
  | "duplicate"
  /** Of an append: delivered at once, and again when the next one was. */
  | "late-duplicate"
  /** Of an append: the caller is told that it failed, and it is delivered when the next one was. */
  | "late"
  /** It is done, and the caller is told that it failed. */
  | "lost-reply"
  /** It is not done, and the caller is told that it failed. */
  | "lost-request"
  /** Of an append: somebody else writes first. */
  | "conflict"
  /** Nothing gets through for this call and the next three. */
  | "partition";

/** How often each fault comes: shares of 1, which add up to at most 1; what is left goes well. */
export interface FaultPlan {
  /** The same seed gives the same faults for the same calls. Default: 1. */
  readonly seed?: number;
  readonly shares?: Readonly<Partial<Record<StoreFault, number>>>;
  /** The faults of the first calls, in order; "none" goes well. Then `shares` go on. */
  readonly script?: readonly (StoreFault | "none")[];
}

/** The names of all faults. */
export const STORE_FAULTS: readonly StoreFault[] = [
  "delay",
  "duplicate",
  "late-duplicate",
  "late",
  "lost-reply",
  "lost-request",
  "conflict",
  "partition",
];

/** Gives the fault of one call after another. */
export function faultsOf({ seed = 1, shares = {}, script = [] }: FaultPlan): () => StoreFault | "none" {
  const next = numbers(seed);
  let call = 0;
  let partitioned = 0;
  return () => {
    const planned = script[call];
    call += 1;
    if (partitioned > 0) {
      partitioned -= 1;
      return "partition";
    }
    const fault = planned ?? drawn(next(), shares);
    if (fault === "partition") partitioned = 3;
    return fault;
  };
}

function drawn(number: number, shares: NonNullable<FaultPlan["shares"]>): StoreFault | "none" {
  let left = number;
  for (const fault of STORE_FAULTS) {
    left -= shares[fault] ?? 0;
    if (left < 0) return fault;
  }
  return "none";
}

/** Numbers from 0 to 1 that only the seed decides: a 32-bit linear congruence, of which the upper bits are taken. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 0x1_00_00_00;
  };
}
