import type { FileMark } from "../../protocol/index.ts";
import type { LineCount } from "./count-lines.ts";

/** A path to bring back. */
export interface RestoreEntry {
  readonly path: string;
  readonly target: FileMark;
  readonly last?: FileMark;
  /** As good as `last`: what stood there before a change that may not have happened. */
  readonly untouched?: FileMark;
}

/** What became of one path in a rewind. */
export interface RewoundFile extends LineCount {
  /** Absolute. */
  readonly path: string;
  /** `restore`: its old content or mode. `create`: it had been removed. `remove`: it had been made. */
  readonly action: "restore" | "create" | "remove";
  /**
   * `done`; `would`: in a dry run. `conflict`: somebody else has changed it since, and it was left alone. `failed`: it could
   * not be brought back. `unkept`: what it held was never kept.
   */
  readonly outcome: "done" | "would" | "conflict" | "failed" | "unkept";
  /** Why, for all but `done` and `would`. */
  readonly reason?: string;
}

export interface RestoreOptions {
  /** Nothing is changed. */
  readonly dryRun: boolean;
  /** Also what somebody else has changed. */
  readonly force: boolean;
}
