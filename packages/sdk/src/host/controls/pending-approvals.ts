import type { ApprovalRecord } from "../../protocol/index.ts";
import type { OpenSession } from "../opening/open-session.ts";

/** The records of the calls that wait in the inbox. */
export async function pendingApprovals({ desk, log }: OpenSession): Promise<readonly ApprovalRecord[]> {
  if (desk === undefined || log.state.approvals.size === 0) return [];
  const open = [...log.state.approvals.values()].filter(({ resolved }) => resolved === undefined);
  const records = await Promise.all(open.map(({ requested }) => desk.record(requested.approvalId)));
  return records.filter((record) => record?.status === "pending") as readonly ApprovalRecord[];
}
