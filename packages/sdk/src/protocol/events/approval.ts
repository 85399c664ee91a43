import type { DecisionReason, MatchedRule } from "../decision.ts";
import type { JsonObject } from "../json.ts";
import type { PermissionUpdate } from "../permission.ts";
import type { Envelope } from "./envelope.ts";

/** A call waits in the inbox. It is in the log, and its record in the store, before anybody is told. */
export type ApprovalRequested = Envelope<
  "approval.requested",
  {
    readonly approvalId: string;
    readonly callId: string;
    readonly name: string;
    /** SHA-256 of the input that is asked about. */
    readonly inputHash: string;
    /** SHA-256 of the input as its record holds it, where a redactor took something out. */
    readonly shownHash?: string;
    /** The policy that asked, for audit. */
    readonly policyVersion: string;
    /** Why it is a question. */
    readonly message: string;
    readonly reason: DecisionReason;
    readonly rule?: MatchedRule;
    readonly suggestions: readonly PermissionUpdate[];
    /** One line for a person. */
    readonly title: string;
    readonly approver: "human" | "auto";
    /** Epoch milliseconds. */
    readonly requestedAt: number;
    readonly expiresAt?: number;
    /** The input that is asked about, where it is not the one that the model sent. */
    readonly input?: JsonObject;
    readonly agentId?: string;
  }
>;

/** The session took a decision out of the inbox; what it comes to is decided under the policy of that moment. */
export type ApprovalResolved = Envelope<
  "approval.resolved",
  {
    readonly approvalId: string;
    readonly callId: string;
    readonly behavior: "approve" | "reject";
    readonly by: string;
    readonly note?: string;
    /** Of a rejection: the model reads it. */
    readonly reason?: string;
    readonly updatedInput?: JsonObject;
    /** SHA-256 of `updatedInput` as it was given: a redacted one does not run. */
    readonly editHash?: string;
    readonly remember?: readonly PermissionUpdate[];
  }
>;

/** Why an approval ended without a word of anybody. */
export type ApprovalEnd =
  /** `expiresAt` passed. */
  | "expired"
  /** The run was interrupted, or the call cannot run any more. */
  | "cancelled"
  /** The call is asked about with another input now. */
  | "changed"
  /** Rules or mode settle the call now. */
  | "settled"
  /** A redactor took the input out of the log, and the run that knew it is over. */
  | "lost";

/** An approval ended without a decision. No decision about it counts any more. */
export type ApprovalExpired = Envelope<
  "approval.expired",
  {
    readonly approvalId: string;
    readonly callId: string;
    /** Epoch milliseconds. */
    readonly at: number;
    readonly why: ApprovalEnd;
  }
>;
