import type {
  EventData,
  SDKCommon,
  SDKMessage,
  SDKPermissionDecision,
  SDKResultError,
  SDKResultPaused,
  SDKResultSuccess,
  SessionEvent,
} from "../protocol/index.ts";
import { assistantContent, modelUsageOf, resultContent, stopReasonText, toSdkUsage } from "./blocks.ts";
import { approvalExpired, approvalRequested, approvalResolved } from "./project-approval.ts";
import { taskNotification, taskStarted } from "./project-task.ts";
import { timerCleared, timerFired, timerSet } from "./project-timer.ts";
import { resultPart } from "./rounds.ts";
import type { SessionState } from "./state.ts";

/**
 * What an event says to the reader of the iterator: no message for most events, one for some.
 * Pure. A message has the event's id as its `uuid`.
 *
 * @param state the state right after `apply(state, event)`.
 */
export function project(event: SessionEvent, state: SessionState): readonly SDKMessage[] {
  const common = { uuid: event.id, session_id: state.sessionId };
  switch (event.type) {
    case "session.configured":
      return [
        {
          type: "system",
          subtype: "init",
          ...common,
          cwd: state.cwd,
          model: event.data.model,
          tools: event.data.tools,
          mcp_servers: event.data.mcpServers ?? [],
          permissionMode: event.data.mode,
          agents: [],
          skills: [],
          slash_commands: ["compact"],
        },
      ];
    case "mode.changed":
      return [{ type: "system", subtype: "status", ...common, permissionMode: event.data.mode }];
    case "model.changed":
      return [
        { type: "system", subtype: "status", ...common, permissionMode: state.mode, model: event.data.model },
      ];
    case "model.retried":
      return [retry(event.data, common)];
    case "model.completed":
      return assistant(event.data, common);
    case "compacted":
      return [boundary(event.data, common)];
    case "tool.decided":
      return denied(event.data, common);
    case "tool.finished":
      // The reader knows only the calls of the model.
      return event.data.parent === undefined ? [toolResult(event.data, state, common)] : NOTHING;
    case "task.started":
      return [taskStarted(event.data, common)];
    case "task.finished":
      return [taskNotification(event.data, common)];
    case "timer.set":
      return [timerSet(event.data, common)];
    case "timer.fired":
      return timerFired(event.data, state, common);
    case "timer.cleared":
      return [timerCleared(event.data, common)];
    case "approval.requested":
      return [approvalRequested(event.data, state, common)];
    case "approval.resolved":
      return [approvalResolved(event.data, common)];
    case "approval.expired":
      return [approvalExpired(event.data, common)];
    case "hook.ran":
      return [hookResponse(event.data, common)];
    case "result":
      return [result(event.data, common)];
    default:
      return NOTHING;
  }
}

const NOTHING: readonly SDKMessage[] = [];

function assistant(data: EventData<"model.completed">, common: SDKCommon): readonly SDKMessage[] {
  // Cut short before its first word: there is nothing to show.
  if (data.interrupted === true && data.message.parts.length === 0) return NOTHING;
  return [
    {
      type: "assistant",
      ...common,
      parent_tool_use_id: null,
      message: {
        id: data.message.id,
        type: "message",
        role: "assistant",
        model: data.model,
        content: assistantContent(data.message),
        stop_reason: data.interrupted === true ? null : stopReasonText(data.stopReason),
        usage: toSdkUsage(data.usage),
      },
    },
  ];
}

function retry(data: EventData<"model.retried">, common: SDKCommon): SDKMessage {
  return {
    type: "system",
    subtype: "api_retry",
    ...common,
    model: data.model,
    attempt: data.attempt,
    max_retries: data.maxRetries ?? data.attempt,
    retry_delay_ms: data.delayMs,
    error: data.error,
    error_status: data.status ?? null,
    ...(data.fallback === undefined ? {} : { fallback_model: data.fallback }),
  };
}

function boundary(data: EventData<"compacted">, common: SDKCommon): SDKMessage {
  const { trigger, tokensBefore, tokensAfter, messages, model } = data;
  return {
    type: "system",
    subtype: "compact_boundary",
    ...common,
    compact_metadata: {
      trigger: trigger === "manual" ? "manual" : "auto",
      reason: trigger,
      pre_tokens: tokensBefore,
      post_tokens: tokensAfter,
      messages,
      model: model ?? null,
    },
  };
}

function denied(data: EventData<"tool.decided">, common: SDKCommon): readonly SDKMessage[] {
  if (data.behavior !== "deny") return NOTHING;
  return [
    {
      type: "system",
      subtype: "permission_denied",
      ...common,
      tool_name: data.name,
      tool_use_id: data.callId,
      message: data.message,
      reason: data.reason,
    },
  ];
}

function hookResponse(data: EventData<"hook.ran">, common: SDKCommon): SDKMessage {
  const { hook, runId, callId, outcome, detail, suppressed } = data;
  return {
    type: "system",
    subtype: "hook_response",
    ...common,
    hook_id: runId ?? common.uuid,
    hook_name: hook ?? data.event,
    hook_event: data.event,
    ...(callId === undefined ? {} : { tool_use_id: callId }),
    outcome: outcome === "failed" ? "error" : "success",
    effect: outcome,
    output: suppressed === true ? "" : (detail ?? ""),
    duration_ms: data.durationMs,
  };
}

function toolResult(data: EventData<"tool.finished">, state: SessionState, common: SDKCommon): SDKMessage {
  const decided = (state.round ?? state.closedRound)?.calls.get(data.callId)?.decided;
  return {
    type: "user",
    ...common,
    parent_tool_use_id: null,
    message: {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: data.callId,
          content: resultContent(resultPart(data).content),
          ...(data.isError ? { is_error: true } : {}),
        },
      ],
    },
    ...(data.structured === undefined ? {} : { tool_use_result: data.structured }),
    ...(decided === undefined ? {} : { permission_decision: decision(decided) }),
  };
}

function decision(data: EventData<"tool.decided">): SDKPermissionDecision {
  return {
    behavior: data.behavior,
    message: data.message,
    reason: data.reason,
    ...(data.rule === undefined ? {} : { rule: data.rule }),
    ...(data.asked === undefined ? {} : { asked: data.asked }),
  };
}

function result(data: EventData<"result">, common: SDKCommon): SDKMessage {
  const modelUsage = Object.entries(data.modelUsage).map(
    ([model, usage]) => [model, modelUsageOf(usage, costIn(data, model))] as const,
  );
  return {
    type: "result",
    ...outcome(data),
    ...common,
    duration_ms: data.durationMs,
    num_turns: data.turns,
    usage: toSdkUsage(data.usage),
    modelUsage: Object.fromEntries(modelUsage),
    total_cost_usd: data.costUsd,
    ...(data.costUnknown === true ? { cost_unknown: true } : {}),
    permission_denials: data.denials,
    stop_reason: stopReasonText(data.stopReason),
    terminal_reason: data.terminalReason,
    ...(data.woken === true ? { woken: true } : {}),
  };
}

/** What an answer and a failure differ in. */
type Outcome =
  | Pick<SDKResultSuccess, "subtype" | "is_error" | "result" | "structured_output">
  | Pick<SDKResultError, "subtype" | "is_error" | "errors">
  | Pick<SDKResultPaused, "subtype" | "is_error" | "errors" | "pending_approvals">;

function outcome(data: EventData<"result">): Outcome {
  const { subtype, result = "", errors = [], structuredOutput } = data;
  if (subtype === "paused") {
    return { subtype, is_error: false, errors, pending_approvals: data.pendingApprovals ?? [] };
  }
  if (subtype !== "success") return { subtype, is_error: true, errors };
  const answer = { subtype, is_error: false, result } as const;
  return structuredOutput === undefined ? answer : { ...answer, structured_output: structuredOutput };
}

function costIn(data: EventData<"result">, model: string): number | undefined {
  const costs = data.modelCostUsd ?? {};
  return Object.hasOwn(costs, model) ? costs[model] : undefined;
}
