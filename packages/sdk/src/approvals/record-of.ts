import type { ApprovalRecord, EventData, JsonObject, JsonValue } from "../protocol/index.ts";
import type { DeskParts, Question } from "./desk-types.ts";
import { hashInput } from "./hash-input.ts";
import { redactedPlaces } from "./shown-input.ts";

type Requested = EventData<"approval.requested">;

interface Made {
  readonly id: string;
  readonly input: JsonObject;
  readonly inputHash: string;
  readonly now: number;
  readonly parts: Pick<DeskParts, "log" | "expiresInMs" | "platform" | "redact">;
}

/**
 * The event of a question. Its input is in it only where the log does not hold that already. What a redactor would change
 * in a rule cannot be remembered, so such a rule is not suggested.
 */
export function requestOf(question: Question, made: Made): Requested {
  const whole = wholeRequest(question, made);
  if (made.parts.redact === undefined) return whole;
  const { suggestions, shownHash } = shownRequest(whole, made.input, made.parts);
  const shown = new Set(suggestions.map((update) => JSON.stringify(update)));
  return {
    ...whole,
    suggestions: whole.suggestions.filter((update) => shown.has(JSON.stringify(update))),
    ...(shownHash === undefined ? {} : { shownHash }),
  };
}

function wholeRequest(question: Question, made: Made): Requested {
  const { callId, name, message, reason, rule, suggestions, title, approver, policyVersion, agentId } =
    question;
  const { id, input, inputHash, now, parts } = made;
  const { expiresInMs } = parts;
  const sent = parts.log.state.round?.calls.get(callId)?.part.input;
  const isSent = isObject(sent) && hashInput(sent, parts.platform.sha256) === inputHash;
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

/** A question as others may see it, with its input. */
function shownRequest(
  requested: Requested,
  input: JsonObject,
  { redact, platform }: Made["parts"],
): Requested & { readonly input: JsonObject } {
  const whole = { ...requested, input };
  if (redact === undefined) return whole;
  const plain = redact(whole);
  const shown = isObject(plain.input) ? plain.input : {};
  const hash = hashInput(shown, platform.sha256);
  return { ...plain, input: shown, ...(hash === requested.inputHash ? {} : { shownHash: hash }) };
}

/** The record that stands for it in the inbox: it holds what the redactor leaves. */
export function recordOf(
  asked: Requested,
  real: JsonObject,
  parts: Made["parts"] & Pick<DeskParts, "sessionId">,
): ApprovalRecord {
  const { approvalId, callId, name, rule, expiresAt, agentId, ...rest } = shownRequest(asked, real, parts);
  const { input, shownHash } = rest;
  const { inputHash, policyVersion, message, reason, suggestions, title, approver, requestedAt } = rest;
  return {
    id: approvalId,
    sessionId: parts.sessionId,
    ...(agentId === undefined ? {} : { agentId }),
    toolUseId: callId,
    tool: name,
    ...{ input, inputHash, policyVersion, message, reason },
    ...(shownHash === undefined ? {} : { shownHash, redacted: redactedPlaces(real, input) }),
    ...(rule === undefined ? {} : { matchedRule: rule }),
    ...{ suggestions, title, requestedAt },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...{ approver, status: "pending" as const },
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
