import type { Envelope } from "./envelope.ts";

/** What stood at a path at one moment. Modes are permission bits (12 bits); an absent one is not known. */
export type FileMark =
  | { readonly kind: "missing" }
  /** `hash`: SHA-256 of the bytes in hex. Of a baseline, the artifact store holds them under it. */
  | { readonly kind: "file"; readonly hash: string; readonly size: number; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode?: number }
  /** Something stood there whose content was not kept. */
  | {
      readonly kind: "unkept";
      readonly why: "too_large" | "too_many" | "unreadable";
      /** Bytes, where one file was too large. */
      readonly size?: number;
    };

/** One path of a checkpoint. */
export interface CheckpointedFile {
  /** Absolute; no folder on the way was a link. */
  readonly path: string;
  /** What stood there before. Absent where an earlier checkpoint of the same call has told it. */
  readonly before?: FileMark;
  /** What the call leaves there: known beforehand, or looked at afterwards. */
  readonly after?: FileMark;
}

/**
 * Files that a call is about to change, with what stood there: written before the change. For a command line a second
 * one follows, with what it left. A rewind is recorded in the same way.
 */
export type FileCheckpointed = Envelope<
  "file.checkpointed",
  {
    /** `id` of the `user.message` event that led to the change; empty where there was none. */
    readonly messageId: string;
    /** Absent: `rewindFiles` changed them. */
    readonly callId?: string;
    readonly files: readonly CheckpointedFile[];
  }
>;
