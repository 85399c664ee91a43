import type { DecisionReason, MatchedRule } from "../decision.ts";
import type { ApprovalEnd } from "../events/index.ts";
import type { JsonObject } from "../json.ts";
import type { PermissionUpdate } from "../permission.ts";

/**
 * `approved` and `rejected` follow from the decision that was made, and `expired` from one that has `ended`; a store tells
 * them by itself.
 */
export type ApprovalStatus = "pending" | "approved" | "rejected" | "expired";

/** A call that waits for somebody's word. */
export interface ApprovalRecord {
  /** Letters, digits, `-` and `_`, at most 128. */
  readonly id: string;
  readonly sessionId: string;
  readonly agentId?: string;
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** SHA-256 of the input that runs: the approval counts for these very bytes. */
  readonly inputHash: string;
  /** SHA-256 of `input` where that is not what runs: a redactor took something out of it. */
  readonly shownHash?: string;
  /** Where it did: the keys that lead there. An edit must leave these places alone. */
  readonly redacted?: readonly (readonly string[])[];
  /** The policy that asked, for audit: before the call runs it is decided again under the policy of that moment. */
  readonly policyVersion: string;
  readonly reason: DecisionReason;
  readonly matchedRule?: MatchedRule;
  readonly suggestions: readonly PermissionUpdate[];
  /** One line for a person. */
  readonly title: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  readonly expiresAt?: number;
  readonly approver: "human" | "auto";
  readonly status: ApprovalStatus;
  /** For people: why it is a question. */
  readonly message?: string;
}

/** What somebody said to an approval. It never changes. */
export interface ApprovalDecision {
  readonly behavior: "approve" | "reject";
  /** Who decided, as the inbox names them. */
  readonly decidedBy: string;
  /** Epoch milliseconds. */
  readonly decidedAt: number;
  /** For those who read the record later. */
  readonly note?: string;
  /** Of a rejection: the model reads it. */
  readonly reason?: string;
  /** Of an approval with edits: the input that is validated and decided in place of the first one. */
  readonly updatedInput?: JsonObject;
  /** Of an approval that is remembered: one of the record's suggestions. */
  readonly remember?: readonly PermissionUpdate[];
  /** The session took the question back: nobody's word. `behavior` is `reject` then. */
  readonly ended?: ApprovalEnd;
}

export type DecideApprovalResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: "approval_already_decided"; readonly by: string }
  | { readonly ok: false; readonly code: "approval_not_found" };

/** Which approvals a store lists. */
export interface ApprovalFilter {
  readonly status?: ApprovalStatus;
  readonly sessionId?: string;
  /** Told of each record that was left out because it cannot be read. Without it the listing fails instead. */
  skipped?(problem: string): void;
}

/**
 * The port of the approval inbox. A decision is a record of its own, made atomically: of several for one approval the
 * first counts, in whatever process.
 */
export interface ApprovalStore {
  /** Keeps a record, in place of the one with its id; a decision that was made stays. */
  put(record: ApprovalRecord): Promise<void>;
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** Oldest first by `requestedAt`. */
  list(filter?: ApprovalFilter): Promise<readonly ApprovalRecord[]>;
  /** When it resolves with `ok`, no other decision can come. */
  decide(id: string, decision: ApprovalDecision): Promise<DecideApprovalResult>;
  decisionOf(id: string): Promise<ApprovalDecision | undefined>;
  /**
   * A text that is another one once a record was made or a decision came, also from another process. It is asked often
   * and must be cheap. A store without it is listed instead.
   */
  stamp?(): Promise<string>;
  /** The ids of all records without a decision. A store without it is asked about each. */
  openIds?(): Promise<ReadonlySet<string>>;
  /** The ids of all records, decided or not. A store without it is listed instead. */
  ids?(): Promise<ReadonlySet<string>>;
  /**
   * Calls `listener` when a record may have been made or a decision may have come, also from another process; gives what
   * ends that. It may miss some: `stamp` is asked as well. Undefined: not now.
   */
  onChange?(listener: () => void): (() => void) | undefined;
  /** Takes away the record and its decision. True when there was one. */
  remove(id: string): Promise<boolean>;
}
