import type { CanUseTool, JsonValue, SDKMessage, SDKPermissionDecision } from "@castellan/sdk";
import type { Answerer } from "../terminal/decision-text.ts";

/** One call of a run and what was decided about it. */
export interface DecidedCall {
  readonly tool: string;
  readonly input: JsonValue;
  readonly decision: SDKPermissionDecision;
  /** Who was asked, where somebody was. */
  readonly answeredBy?: Answerer;
  readonly isError: boolean;
}

/** Gathers the decisions of a run from its messages, and who answered its questions. */
export interface DecisionLog {
  message(message: SDKMessage): void;
  /** The same callback, noting that its answers are this one's. */
  noting(who: Answerer, canUseTool: CanUseTool): CanUseTool;
  answeredBy(toolUseId: string): Answerer | undefined;
  readonly calls: readonly DecidedCall[];
}

export function createDecisionLog(): DecisionLog {
  const made = new Map<string, { readonly tool: string; readonly input: JsonValue }>();
  const answers = new Map<string, Answerer>();
  const calls: DecidedCall[] = [];
  return {
    calls,
    answeredBy: (toolUseId) => answers.get(toolUseId),
    noting: (who, canUseTool) => (tool, input, context) => {
      answers.set(context.toolUseID, who);
      return canUseTool(tool, input, context);
    },
    message(message) {
      if (message.type === "assistant") {
        for (const block of message.message.content) {
          if (block.type === "tool_use") made.set(block.id, { tool: block.name, input: block.input });
        }
      }
      if (message.type !== "user" || message.permission_decision === undefined) return;
      const { content } = message.message;
      const block =
        typeof content === "string" ? undefined : content.find((each) => each.type === "tool_result");
      if (block?.type !== "tool_result") return;
      const call = made.get(block.tool_use_id);
      if (call === undefined) return;
      const who = answers.get(block.tool_use_id);
      calls.push({
        ...call,
        decision: message.permission_decision,
        ...(who === undefined ? {} : { answeredBy: who }),
        isError: block.is_error === true,
      });
    },
  };
}
