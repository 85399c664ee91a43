import type { ApprovalRecord } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";

export function notFound(id: string): CastellanError {
  return new CastellanError(
    "approval_not_found",
    `There is no approval "${id.slice(0, 128)}" in this store.`,
    {
      subject: id,
      fix: "See approvals.list() for those that there are.",
    },
  );
}

export function alreadyDecided(id: string, by: string): CastellanError {
  return new CastellanError("approval_already_decided", `Approval ${id} was decided by ${by} already.`, {
    subject: id,
    fix: "The first decision holds.",
  });
}

/** @param why as a clause. */
export function expired(record: ApprovalRecord, why: string): CastellanError {
  return new CastellanError("approval_expired", `Approval ${record.id} (${record.title}) is over: ${why}.`, {
    subject: record.id,
    fix: "Nothing runs by it any more; a call that is still wanted is asked about anew.",
  });
}

/** @param why as a clause. */
export function changed(id: string, why: string): CastellanError {
  return new CastellanError("approval_changed", `Approval ${id} is about another call: ${why}.`, {
    subject: id,
    fix: "Look at it again, and decide about what it holds now.",
  });
}

/** @param why as a sentence. */
export function refused(id: string, why: string, fix: string): CastellanError {
  return new CastellanError("approval_refused", `Approval ${id}: ${why}`, { subject: id, fix });
}
