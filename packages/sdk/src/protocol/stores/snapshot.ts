/**
 * The folded state of a session at one event, so that a resume reads only what came after it. It is a saving, never the
 * truth: one that does not fit its log (the log holds no event `seq`) or its hash is left out, and the log is folded
 * from its start.
 */
export interface Snapshot {
  /** The version of the fold that made it. */
  readonly v: number;
  /** The last event that is in it. */
  readonly seq: number;
  /** SHA-256 of `state`, in hex. */
  readonly hash: string;
  /** The state as canonical JSON. */
  readonly state: string;
}
