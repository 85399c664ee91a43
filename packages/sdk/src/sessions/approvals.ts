import type { EventData, JsonValue } from "../protocol/index.ts";
import { withEntry, withoutEntry } from "./shared-map.ts";
import { type ApprovalState, NO_APPROVALS, type SessionState } from "./state.ts";

/** A question; of several about one call the last one counts. */
export function askApproval(state: SessionState, requested: EventData<"approval.requested">): void {
  set(state, requested.callId, { requested });
}

/** A decision about the question that stands. */
export function resolveApproval(state: SessionState, resolved: EventData<"approval.resolved">): void {
  const { callId, approvalId } = resolved;
  const known = state.approvals.get(callId);
  if (known?.requested.approvalId === approvalId) set(state, callId, { ...known, resolved });
}

/** The question is over without one. */
export function endApproval(
  state: SessionState,
  { callId, approvalId }: EventData<"approval.expired">,
): void {
  if (state.approvals.get(callId)?.requested.approvalId === approvalId) dropApproval(state, callId);
}

/** The call has its result, or is another one. */
export function dropApproval(state: SessionState, callId: string): void {
  state.approvals = withoutEntry(state.approvals, callId, NO_APPROVALS);
}

function set(state: SessionState, callId: string, approval: ApprovalState): void {
  state.approvals = withEntry(state.approvals, callId, approval);
}

/** The input that an approval is about: its own, else the one that the model sent. */
export function askedInput(
  state: SessionState,
  { input, callId }: EventData<"approval.requested">,
): JsonValue {
  return input ?? state.round?.calls.get(callId)?.part.input ?? {};
}
