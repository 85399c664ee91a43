import type { Platform } from "../platform/index.ts";
import type { ApprovalDecision, ApprovalRecord, ApprovalStore } from "../protocol/index.ts";
import { ring } from "./bell.ts";
import { endedDecision, endText } from "./ends.ts";
import { alreadyDecided, changed, expired, notFound, refused } from "./faults.ts";
import { hashInput } from "./hash-input.ts";
import { checkOptions, deciderOf, editsOf, remembered } from "./read-options.ts";
import type { Signer } from "./signature.ts";
import type { Approvals, ApproveOptions, DecideOptions, RejectOptions } from "./types.ts";
import { watchApprovals } from "./watch-approvals.ts";

export interface ApprovalsParts {
  readonly store: ApprovalStore;
  readonly platform: Pick<Platform, "clock" | "sha256">;
  readonly signer: Signer;
}

/** The inbox over a store. */
export function createApprovals({ store, platform, signer }: ApprovalsParts): Approvals {
  const { clock, sha256 } = platform;

  /** A decision that came by itself: nobody spoke in time. Whoever decided meanwhile was first. */
  async function endNow(record: ApprovalRecord): Promise<void> {
    await store.decide(record.id, endedDecision("expired", clock.now()));
    ring(store, record.id);
  }

  /** The record, if it may still be decided by these means. */
  async function openRecord(id: string, options: DecideOptions): Promise<ApprovalRecord> {
    const record = typeof id === "string" ? await store.get(id) : undefined;
    if (record === undefined) throw notFound(String(id));
    if (record.status !== "pending") throw await closedFault(record);
    if (record.expiresAt !== undefined && record.expiresAt <= clock.now()) {
      await endNow(record);
      throw (await store.decisionOf(id))?.ended === undefined
        ? await closedFault(record)
        : expired(record, endText("expired"));
    }
    if (hashInput(record.input, sha256) !== (record.shownHash ?? record.inputHash)) {
      throw changed(id, "its input is not the one that was asked about");
    }
    const { inputHash, signature, decider } = options;
    if (inputHash !== undefined && inputHash !== record.inputHash) {
      throw changed(id, "the inputHash that was given is not its own");
    }
    if (signature !== undefined && !(await signer.isSigned(record, signature))) {
      throw changed(id, "the signature that was given is not one of this inbox for it");
    }
    if (decider === "auto" && record.approver !== "auto") {
      throw refused(id, "it is for a person, and a program wants to decide it.", "Let a person decide.");
    }
    return record;
  }

  async function closedFault(record: ApprovalRecord): Promise<Error> {
    const decision = await store.decisionOf(record.id);
    if (decision?.ended !== undefined) return expired(record, endText(decision.ended));
    if (decision === undefined) return expired(record, endText("expired"));
    return alreadyDecided(record.id, decision.decidedBy);
  }

  async function decide(record: ApprovalRecord, decision: ApprovalDecision): Promise<ApprovalRecord> {
    const answer = await store.decide(record.id, decision);
    if (!answer.ok) {
      throw answer.code === "approval_not_found" ? notFound(record.id) : await closedFault(record);
    }
    ring(store, record.id);
    return { ...record, status: decision.behavior === "approve" ? "approved" : "rejected" };
  }

  return {
    async list({ status, ...rest } = {}) {
      const listed = await store.list({
        ...rest,
        ...(status === undefined || status === "expired" ? {} : { status }),
      });
      const now = clock.now();
      const shown = listed.map((record) => shownAt(record, now));
      return status === undefined ? shown : shown.filter((record) => record.status === status);
    },
    async get(id) {
      const record = await store.get(id);
      return record && shownAt(record, clock.now());
    },
    decisionOf: (id) => store.decisionOf(id),
    async approve(id, options: ApproveOptions = {}) {
      checkOptions(id, "approve", options);
      const record = await openRecord(id, options);
      const updatedInput = editsOf(record, options);
      const remember = remembered(record, options);
      return decide(record, {
        behavior: "approve",
        decidedBy: deciderOf(options),
        decidedAt: clock.now(),
        ...(options.note === undefined ? {} : { note: options.note }),
        ...(updatedInput === undefined ? {} : { updatedInput }),
        ...(remember === undefined ? {} : { remember }),
      });
    },
    async reject(id, options: RejectOptions = {}) {
      checkOptions(id, "reject", options);
      const record = await openRecord(id, options);
      return decide(record, {
        behavior: "reject",
        decidedBy: deciderOf(options),
        decidedAt: clock.now(),
        ...(options.note === undefined ? {} : { note: options.note }),
        ...(options.reason === undefined ? {} : { reason: options.reason }),
      });
    },
    watch: (options = {}) => watchApprovals({ store, clock }, options),
  };
}

/** As somebody sees it at this moment. */
function shownAt(record: ApprovalRecord, now: number): ApprovalRecord {
  const isOver = record.status === "pending" && record.expiresAt !== undefined && record.expiresAt <= now;
  return isOver ? { ...record, status: "expired" } : record;
}
