import type { EventData, PendingApproval, SDKCommon, SDKMessage } from "../protocol/index.ts";
import { askedInput } from "./approvals.ts";
import { asObject } from "./as-object.ts";
import type { SessionState } from "./state.ts";

/** What the reader is told of a call that waits; once its record is stored. */
export function approvalRequested(
  data: EventData<"approval.requested">,
  state: SessionState,
  common: SDKCommon,
): SDKMessage {
  return {
    type: "system",
    subtype: "approval_requested",
    ...common,
    ...pendingApproval(data, state),
    message: data.message,
    reason: data.reason,
    suggestions: data.suggestions,
    approver: data.approver,
    ...(data.agentId === undefined ? {} : { agent_id: data.agentId }),
  };
}

export function approvalResolved(
  { approvalId, callId, behavior, by, note, reason }: EventData<"approval.resolved">,
  common: SDKCommon,
): SDKMessage {
  return {
    type: "system",
    subtype: "approval_resolved",
    ...common,
    ...{ approval_id: approvalId, tool_use_id: callId, behavior, by },
    ...(note === undefined ? {} : { note }),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function approvalExpired(
  { approvalId, callId, why }: EventData<"approval.expired">,
  common: SDKCommon,
): SDKMessage {
  return {
    type: "system",
    subtype: "approval_resolved",
    ...common,
    ...{ approval_id: approvalId, tool_use_id: callId, behavior: "expire", reason: why },
  };
}

/** What waits for a decision, in the order in which it was asked. */
export function pendingApprovals(state: SessionState): readonly PendingApproval[] {
  const open = [...state.approvals.values()].filter(({ resolved }) => resolved === undefined);
  return open.map(({ requested }) => pendingApproval(requested, state));
}

function pendingApproval(data: EventData<"approval.requested">, state: SessionState): PendingApproval {
  return {
    approval_id: data.approvalId,
    tool_name: data.name,
    tool_use_id: data.callId,
    tool_input: asObject(askedInput(state, data)),
    title: data.title,
    ...(data.expiresAt === undefined ? {} : { expires_at: data.expiresAt }),
  };
}
