import type { ApprovalDecision, ApprovalFilter, ApprovalRecord } from "../../protocol/index.ts";

/** A record as a store gives it: its status follows from the decision that was made. */
export function withDecision(record: ApprovalRecord, decision: ApprovalDecision | undefined): ApprovalRecord {
  if (decision === undefined) return record;
  if (decision.ended !== undefined) return { ...record, status: "expired" };
  return { ...record, status: decision.behavior === "approve" ? "approved" : "rejected" };
}

/** Those that a listing shows, oldest first. */
export function chosenApprovals(
  records: readonly ApprovalRecord[],
  { status, sessionId }: ApprovalFilter,
): ApprovalRecord[] {
  return records
    .filter((record) => status === undefined || record.status === status)
    .filter((record) => sessionId === undefined || record.sessionId === sessionId)
    .sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : Number(a.id > b.id)));
}
