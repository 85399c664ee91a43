import type { JsonObject, JsonValue, SDKMessage, SDKPermissionDecision } from "@castellan/sdk";

/** One call of a run and what was decided about it. */
export interface DecidedCall {
  readonly tool: string;
  readonly input: JsonValue;
  readonly decision: SDKPermissionDecision;
  readonly isError: boolean;
}

/** Gathers the decisions of a run from its messages. */
export interface DecisionLog {
  message(message: SDKMessage): void;
  readonly calls: readonly DecidedCall[];
}

export function createDecisionLog(): DecisionLog {
  const asked = new Map<string, { readonly tool: string; readonly input: JsonValue }>();
  const calls: DecidedCall[] = [];
  return {
    calls,
    message(message) {
      if (message.type === "assistant") {
        for (const block of message.message.content) {
          if (block.type === "tool_use")
            asked.set(block.id, { tool: block.name, input: block.input as JsonObject });
        }
      }
      if (message.type !== "user" || message.permission_decision === undefined) return;
      const { content } = message.message;
      const block =
        typeof content === "string" ? undefined : content.find((each) => each.type === "tool_result");
      if (block?.type !== "tool_result") return;
      const call = asked.get(block.tool_use_id);
      if (call === undefined) return;
      calls.push({ ...call, decision: message.permission_decision, isError: block.is_error === true });
    },
  };
}
