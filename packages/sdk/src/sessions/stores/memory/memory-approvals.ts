import type { ApprovalDecision, ApprovalRecord, ApprovalStore } from "../../../protocol/index.ts";
import { checkId } from "../check-ports.ts";
import { chosenApprovals, withDecision } from "../shown-approval.ts";

/** Approvals that live as long as this object. What is kept and given are copies. */
export function memoryApprovals(): ApprovalStore {
  const records = new Map<string, string>();
  const decisions = new Map<string, string>();

  let changes = 0;

  function decisionOf(id: string): ApprovalDecision | undefined {
    const text = decisions.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as ApprovalDecision);
  }

  function shown(text: string): ApprovalRecord {
    const record = JSON.parse(text) as ApprovalRecord;
    return withDecision(record, decisionOf(record.id));
  }

  return {
    async put(record) {
      checkId(record.id, "approval");
      records.set(record.id, JSON.stringify(record));
      changes += 1;
    },
    async get(id) {
      const text = records.get(id);
      return text === undefined ? undefined : shown(text);
    },
    async list(filter = {}) {
      return chosenApprovals(Array.from(records.values(), shown), filter);
    },
    async decide(id, decision) {
      if (!records.has(id)) return { ok: false, code: "approval_not_found" };
      const first = decisionOf(id);
      if (first !== undefined) return { ok: false, code: "approval_already_decided", by: first.decidedBy };
      decisions.set(id, JSON.stringify(decision));
      changes += 1;
      return { ok: true };
    },
    async decisionOf(id) {
      return decisionOf(id);
    },
    stamp: async () => String(changes),
    ids: async () => new Set(records.keys()),
    openIds: async () => new Set([...records.keys()].filter((id) => !decisions.has(id))),
    async remove(id) {
      decisions.delete(id);
      return records.delete(id);
    },
  };
}
