import type { CancelCode, EventData } from "../protocol/index.ts";
import { pendingApprovals, type ResultTotals, resultTotals } from "../sessions/index.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";

/**
 * The data of the `result` event. Requests and denials count from the last message that was recorded, so a turn whose
 * message was not has none.
 */
export function resultData(
  deps: LoopDeps,
  end: TurnEnd,
  durationMs: number,
  isHeard: boolean,
): EventData<"result"> {
  const totals: ResultTotals = resultTotals(deps.log.state);
  const base = {
    ...totals,
    ...(isHeard ? {} : { turns: 0, denials: [] }),
    ...(deps.log.state.woken === true ? { woken: true } : {}),
    durationMs,
  };
  switch (end.kind) {
    case "completed":
      return {
        ...base,
        subtype: "success",
        result: end.text,
        ...(end.structured === undefined ? {} : { structuredOutput: end.structured }),
        stopReason: end.stopReason,
        terminalReason: "completed",
      };
    case "max_turns":
      return {
        ...base,
        subtype: "error_max_turns",
        errors: [`Stopped before model request ${end.limit + 1}: maxTurns is ${end.limit}.`],
        terminalReason: "max_turns",
      };
    case "interrupted":
      return failed(base, ...CUT_SHORT[end.code]);
    case "paused":
      return pausedData(base, deps);
    case "denied_interrupt":
      return failed(base, end.message, "denied_interrupt");
    case "prompt_blocked":
      return failed(base, `A UserPromptSubmit hook blocked the message: ${end.reason}`, "prompt_blocked");
    case "hook_stopped":
      return failed(base, `A hook ended the run: ${end.reason}`, "hook_stopped");
    case "model_error":
    case "context_overflow":
    case "max_tokens_budget":
      return failed(base, end.message, end.kind);
    case "max_budget_usd":
      return { ...failed(base, end.message, end.kind), subtype: "error_max_budget_usd" };
    case "max_structured_output_retries":
      return { ...failed(base, end.message, end.kind), subtype: "error_max_structured_output_retries" };
  }
}

/** What the result says, and its terminal reason. */
const CUT_SHORT: Readonly<Record<CancelCode, readonly [message: string, terminalReason: string]>> = {
  interrupt: ["The run was interrupted.", "interrupted"],
  new_message: ["The run was interrupted by a new message.", "interrupted"],
  timeout: ["The run took longer than it may.", "interrupted"],
  close: ["The session was closed.", "closed"],
  abort: ["The run was aborted.", "aborted"],
};

function pausedData(
  base: Omit<EventData<"result">, "subtype" | "terminalReason">,
  { log }: LoopDeps,
): EventData<"result"> {
  const pending = pendingApprovals(log.state);
  const calls = pending.map(({ title, approval_id }) => `${title} (${approval_id})`).join(", ");
  const errors = [`The turn waits for approval of ${calls}.`];
  return { ...base, subtype: "paused", errors, pendingApprovals: pending, terminalReason: "paused" };
}

function failed(
  base: Omit<EventData<"result">, "subtype" | "terminalReason">,
  message: string,
  terminalReason: string,
): EventData<"result"> {
  return { ...base, subtype: "error_during_execution", errors: [message], terminalReason };
}
