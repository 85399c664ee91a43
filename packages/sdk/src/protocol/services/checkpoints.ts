import type { FileMark } from "../events/file.ts";
import type { ResolvedTarget } from "../target.ts";

/** A file that a call is about to write. */
export interface PlannedChange {
  /** Absolute, links followed. */
  readonly path: string;
  readonly after: FileMark;
}

/** What a command line may change. */
export interface LineCheckpoint {
  /** Records what the line left. Called once, when it has ended; never rejects. */
  settle(): Promise<void>;
}

export type LineKept =
  | { readonly ok: true; readonly line: LineCheckpoint }
  | { readonly ok: false; readonly text: string };

/** Keeps what files held before they are changed, so that a person can go back. Present where the session keeps checkpoints. */
export interface Checkpoints {
  /**
   * Resolves once the baselines are stored and recorded. A text says why they are not: then nothing may be changed.
   */
  before(callId: string, changes: readonly PlannedChange[]): Promise<string | undefined>;
  /** A write of `before` that did not happen: records what stands there instead. Never rejects. */
  undone(callId: string, paths: readonly string[]): Promise<void>;
  /** The same as `before` for all that a command line is known to write or remove. */
  beforeLine(callId: string, targets: readonly ResolvedTarget[]): Promise<LineKept>;
}
