import type { AssistantMessage, CancelCode, EventData } from "../protocol/index.ts";
import { cancelCode, type RoundOutcome } from "../scheduler/index.ts";
import { openRound, resultTotals } from "../sessions/index.ts";
import { askModel } from "./ask-model.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";

/**
 * Runs one user turn: model, tools, model …, until the model has nothing more to call or a stop
 * condition holds. Ends with the `result` event written. What was open of an earlier round
 * is finished first, so this is also how a resumed session goes on.
 *
 * Throws only when the log cannot be written.
 */
export async function runUserTurn(deps: LoopDeps, signal: AbortSignal): Promise<TurnEnd> {
  const began = deps.platform.clock.monotonic();
  const end = await turns(deps, signal);
  deps.log.record("result", resultData(deps, end, Math.round(deps.platform.clock.monotonic() - began)));
  await deps.log.barrier();
  return end;
}

async function turns(deps: LoopDeps, signal: AbortSignal): Promise<TurnEnd> {
  const { log } = deps;
  for (;;) {
    const open = openRound(log.state);
    if (open !== undefined) {
      const outcome = await deps.scheduler.runRound(
        open.missing,
        open.assistant.id,
        signal,
        log.state.round?.calls,
      );
      const stopped = roundEnd(outcome, signal);
      if (stopped !== undefined) return stopped;
    }
    if (signal.aborted) return interrupted(signal);
    for (const message of deps.steer()) log.record("user.message", { message });
    if (deps.maxTurns !== undefined && log.state.turn >= deps.maxTurns) {
      return { kind: "max_turns", limit: deps.maxTurns };
    }
    const end = await oneRequest(deps, signal);
    if (end !== undefined) return end;
  }
}

/** One model request. Undefined: there are calls to run. */
async function oneRequest(deps: LoopDeps, signal: AbortSignal): Promise<TurnEnd | undefined> {
  const { log } = deps;
  const model = deps.model().id;
  log.record("model.requested", { model, turn: log.state.turn + 1, messages: log.state.messages.length });
  const answer = await askModel(deps, signal);
  if (answer.kind === "failed") return { kind: "model_error", message: answer.message };
  if (answer.kind === "interrupted") {
    const { message, usage } = answer.partial;
    const cut = { model, message, usage, durationMs: answer.durationMs, interrupted: true };
    // Also without a word of text: what was spent counts.
    log.record("model.completed", { ...cut, stopReason: "other" });
    return interrupted(signal);
  }
  const { message, usage, stopReason } = answer.completion;
  log.record("model.completed", { model, message, usage, stopReason, durationMs: answer.durationMs });
  if (message.parts.some((part) => part.type === "toolCall")) return undefined;
  if (stopReason === "context_overflow") {
    return { kind: "model_error", message: `The conversation no longer fits into the context of ${model}.` };
  }
  return { kind: "completed", text: finalText(message), stopReason };
}

function interrupted(signal: AbortSignal): TurnEnd {
  return { kind: "interrupted", code: cancelCode(signal) };
}

function roundEnd(outcome: RoundOutcome, signal: AbortSignal): TurnEnd | undefined {
  if (outcome.interrupted?.by === "denied_interrupt") {
    return { kind: "denied_interrupt", message: "A call was denied, and the run was to end there." };
  }
  if (outcome.interrupted !== undefined) return interrupted(signal);
  if (outcome.stop !== undefined) return { kind: "hook_stopped", reason: outcome.stop.reason };
  return undefined;
}

function finalText(message: AssistantMessage): string {
  return message.parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("");
}

function resultData(deps: LoopDeps, end: TurnEnd, durationMs: number): EventData<"result"> {
  const { state } = deps.log;
  const base = { ...resultTotals(state), durationMs };
  switch (end.kind) {
    case "completed":
      return {
        ...base,
        subtype: "success",
        result: end.text,
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
    case "denied_interrupt":
      return failed(base, end.message, "denied_interrupt");
    case "hook_stopped":
      return failed(base, `A hook ended the run: ${end.reason}`, "hook_stopped");
    case "model_error":
      return failed(base, end.message, "model_error");
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

function failed(
  base: Omit<EventData<"result">, "subtype" | "terminalReason">,
  message: string,
  terminalReason: string,
): EventData<"result"> {
  return { ...base, subtype: "error_during_execution", errors: [message], terminalReason };
}
