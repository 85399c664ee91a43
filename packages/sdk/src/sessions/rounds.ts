import type {
  AssistantMessage,
  EventData,
  ResultPart,
  ToolCallPart,
  ToolResultPart,
} from "../protocol/index.ts";
import { CastellanError, OUTCOME_UNKNOWN } from "../protocol/index.ts";
import { dropApproval } from "./approvals.ts";
import { asObject } from "./as-object.ts";
import { NO_APPROVALS, type Round, type RoundCall, type SessionState } from "./state.ts";
import { leaveRound } from "./timers.ts";

/** Takes an assistant message in; with tool calls it opens a round. One without any part leaves no trace. */
export function openNextRound(state: SessionState, message: AssistantMessage, seq: number): void {
  if (state.round !== undefined) {
    throw new CastellanError(
      "log_corrupt",
      `Event ${seq} of session ${state.sessionId} is an answer of the model, but these calls of the message ` +
        `before have no result: ${missingCalls(state.round).join(", ")}.`,
      { subject: state.sessionId },
    );
  }
  if (message.parts.length === 0) return;
  state.messages.push(message);
  const calls = new Map<string, RoundCall>();
  for (const part of message.parts) {
    if (part.type === "toolCall") calls.set(part.id, { part });
  }
  if (calls.size > 0)
    state.round = { assistant: message, calls, open: calls.size, waiting: [], denied: new Map() };
}

/** Notes a decision; a denied call joins the denials. */
export function decideCall(state: SessionState, data: EventData<"tool.decided">): void {
  const call = state.round?.calls.get(data.callId);
  if (call !== undefined) call.decided = data;
  else if (data.parent === undefined) return;
  if (data.behavior !== "deny") return;
  const denial = {
    tool_name: data.name,
    tool_use_id: data.callId,
    tool_input: data.input ?? asObject(call?.part.input ?? {}),
  };
  // A call that is decided again after a resume is still one denial.
  const before = state.round?.denied.get(data.callId);
  const known = before === undefined ? -1 : state.denials.indexOf(before);
  if (known === -1) state.denials.push(denial);
  else state.denials[known] = denial;
  state.round?.denied.set(data.callId, denial);
}

/** Notes a start. A call is no more repeatable than what its handler called. */
export function startCall(state: SessionState, data: EventData<"tool.started">): void {
  // An approval is used once: a call that begins anew after a crash is asked about anew.
  dropApproval(state, data.callId);
  const call = state.round?.calls.get(data.callId);
  if (call !== undefined) call.started = data;
  else if (data.parent !== undefined && !data.repeatable) {
    const above = state.round?.calls.get(data.parent);
    if (above?.started !== undefined) above.started = { ...above.started, repeatable: false };
  }
}

/** Notes a result; the first one of a call holds. The last open one closes the round. */
export function finishCall(state: SessionState, data: EventData<"tool.finished">): void {
  dropApproval(state, data.callId);
  const round = state.round;
  const call = round?.calls.get(data.callId);
  if (round === undefined || call === undefined || call.finished !== undefined) return;
  call.finished = data;
  round.open -= 1;
  if (round.open === 0) close(state, round);
}

function close(state: SessionState, round: Round): void {
  const parts: ToolResultPart[] = [];
  for (const { finished } of round.calls.values()) {
    if (finished !== undefined) parts.push(resultPart(finished));
  }
  state.messages.push({ role: "tool", parts }, ...round.waiting);
  state.closedRound = round;
  // Left over of handlers that a crash ended: their calls are nobody's any more.
  state.approvals = NO_APPROVALS;
  leaveRound(state);
  delete state.round;
}

/** A result as the model reads it: what a hook added stands behind the tool's own content. */
export function resultPart(data: EventData<"tool.finished">): ToolResultPart {
  const context = data.context ?? [];
  const content: readonly ResultPart[] =
    context.length === 0
      ? data.content
      : [...data.content, ...context.map((text) => ({ type: "text", text }) as const)];
  return { type: "toolResult", callId: data.callId, name: data.name, content, isError: data.isError };
}

/** What is open of a round. */
export interface OpenRound {
  readonly assistant: AssistantMessage;
  /** The calls without a result, in source order. */
  readonly missing: ToolCallPart[];
}

/** The round that still lacks results; undefined when the next request can be built. */
export function openRound(state: SessionState): OpenRound | undefined {
  const round = state.round;
  if (round === undefined) return undefined;
  const missing: ToolCallPart[] = [];
  for (const call of round.calls.values()) {
    if (call.finished === undefined) missing.push(call.part);
  }
  return { assistant: round.assistant, missing };
}

/**
 * The results to record after a crash: one "outcome unknown" for each call that had started and may
 * not run twice. Calls that are repeatable or had not started are left for the scheduler to decide afresh.
 */
export function recoverRound(state: SessionState): EventData<"tool.finished">[] {
  const results: EventData<"tool.finished">[] = [];
  for (const { part, started, finished } of state.round?.calls.values() ?? []) {
    if (finished !== undefined || started === undefined || started.repeatable) continue;
    results.push({
      callId: part.id,
      name: part.name,
      outcome: "unknown",
      content: [{ type: "text", text: OUTCOME_UNKNOWN }],
      isError: true,
    });
  }
  return results;
}

function missingCalls(round: Round): string[] {
  return [...round.calls.values()]
    .filter((call) => call.finished === undefined)
    .map(({ part }) => `${part.name} (${part.id})`);
}
