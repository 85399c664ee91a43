import type { ApprovalRecord, EventData, JsonObject } from "../protocol/index.ts";
import type { DeskParts, Question } from "./desk-types.ts";
import { hashInput } from "./hash-input.ts";

/** The event of a question. Its input is in it only where the log does not hold that already. */
export function requestOf(
  question: Question,
  made: {
    readonly id: string;
    readonly input: JsonObject;
    readonly inputHash: string;
    readonly now: number;
    readonly parts: Pick<DeskParts, "log" | "expiresInMs" | "platform">;
  },
): EventData<"approval.requested"> {
  const { callId, name, message, reason, rule, suggestions, title, approver, policyVersion, agentId } =
    question;
  const { id, input, inputHash, now, parts } = made;
  const { expiresInMs } = parts;
  const sent = parts.log.state.round?.calls.get(callId)?.part.input;
  const isSent =
    typeof sent === "object" &&
    sent !== null &&
    !Array.isArray(sent) &&
    hashInput(sent as JsonObject, parts.platform.sha256) === inputHash;
  return {
    approvalId: id,
    ...{ callId, name, inputHash, policyVersion, message, reason },
    ...(rule === undefined ? {} : { rule }),
    ...{ suggestions, title, approver, requestedAt: now },
    ...(expiresInMs === undefined ? {} : { expiresAt: now + expiresInMs }),
    ...(isSent ? {} : { input }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

/** The record that stands for it in the inbox. */
export function recordOf(
  requested: EventData<"approval.requested">,
  input: JsonObject,
  sessionId: string,
): ApprovalRecord {
  const { approvalId, callId, name, rule, expiresAt, agentId, ...rest } = requested;
  const { inputHash, policyVersion, message, reason, suggestions, title, approver, requestedAt } = rest;
  return {
    id: approvalId,
    sessionId,
    ...(agentId === undefined ? {} : { agentId }),
    toolUseId: callId,
    tool: name,
    ...{ input, inputHash, policyVersion, message, reason },
    ...(rule === undefined ? {} : { matchedRule: rule }),
    ...{ suggestions, title, requestedAt },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...{ approver, status: "pending" as const },
  };
}
