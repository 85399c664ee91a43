import type {
  ApprovalDecision,
  ApprovalRecord,
  ApprovalStatus,
  PermissionUpdate,
  UpdateDestination,
} from "../protocol/index.ts";

/** Which approvals are listed. */
export interface ListApprovalsOptions {
  /** Default: all. */
  readonly status?: ApprovalStatus;
  readonly sessionId?: string;
  /** Told of each record that cannot be read. Without it the listing fails instead. */
  skipped?(problem: string): void;
}

/** What every decision may bear. */
export interface DecideOptions {
  /** Who decides, as the log keeps it. Default: `human`, or `auto`. */
  readonly by?: string;
  /** For those who read the record later; the model never sees it. */
  readonly note?: string;
  /** The `inputHash` of the record that was looked at: one that has changed since is `approval_changed`. */
  readonly inputHash?: string;
  /** The signature that came with the record when it left the process. */
  readonly signature?: string;
  /** What decides: a program may decide only what a rule with `approver: "auto"` asked about. Default `human`. */
  readonly decider?: "human" | "auto";
}

export interface ApproveOptions extends DecideOptions {
  /** The whole input, changed. It is validated and decided again before it runs; a deny wins. */
  readonly updatedInput?: { readonly [key: string]: unknown };
  /**
   * Remembers it, so that calls like it are not asked about again: `true` takes the record's suggestions as they are, a
   * destination takes them there, and a list takes those of them that it holds.
   */
  readonly remember?: boolean | UpdateDestination | readonly PermissionUpdate[];
}

export interface RejectOptions extends DecideOptions {
  /** The model reads it. */
  readonly reason?: string;
}

export interface WatchApprovalsOptions {
  readonly sessionId?: string;
  /** Ends the watch; the iterator ends without throwing. */
  readonly signal?: AbortSignal;
}

/** Something that happened in the inbox. */
export interface ApprovalChange {
  readonly type: "requested" | "decided" | "expired";
  readonly record: ApprovalRecord;
  /** Of one that was decided, or that ended without a word. */
  readonly decision?: ApprovalDecision;
}

/**
 * The inbox: calls that wait for somebody's word, over all sessions of a store, whatever process runs them. A decision is
 * a record of its own; of several the first one counts. The session that made the call takes it in, decides the call
 * again under the rules of that moment, and only then runs it.
 */
export interface Approvals {
  /** Oldest first. One whose time has passed is `expired`. */
  list(options?: ListApprovalsOptions): Promise<readonly ApprovalRecord[]>;
  /** Undefined: there is none of this id. */
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** What was decided; undefined while nothing is. */
  decisionOf(id: string): Promise<ApprovalDecision | undefined>;
  /**
   * Lets the call run. Resolves once the decision is stored, with the record as it is then; it does not wait for the call.
   *
   * Rejects with a CastellanError: `approval_not_found`, `approval_already_decided`, `approval_expired`,
   * `approval_changed`, `approval_refused`. Nothing runs by it then.
   */
  approve(id: string, options?: ApproveOptions): Promise<ApprovalRecord>;
  /** Keeps the call from running. Resolves and rejects as `approve()`. */
  reject(id: string, options?: RejectOptions): Promise<ApprovalRecord>;
  /**
   * What is pending at first, then each new one, each decision and each end, in the order in which they are seen: at once
   * for what this process does, within a second for others. Ends with `signal`, or when it is left.
   */
  watch(options?: WatchApprovalsOptions): AsyncIterable<ApprovalChange>;
}
