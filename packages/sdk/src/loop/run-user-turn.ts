import type { AssistantMessage, CancelCode, EventData, Usage } from "../protocol/index.ts";
import { cancelCode, type RoundOutcome } from "../scheduler/index.ts";
import { openRound, resultTotals } from "../sessions/index.ts";
import { askWithRetries, createModelChoice, type ModelChoice } from "./ask-with-retries.ts";
import { overspent } from "./budget.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";
import { type OutputEnd, type OutputWatch, outputText, watchOutput } from "./output-rule.ts";

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
  const choice = createModelChoice(deps);
  const output = deps.output === undefined ? undefined : watchOutput(deps.output, log);
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
    const answered = output?.afterRound();
    if (answered !== undefined) return outputEnd(deps, answered, "tool_use");
    for (const message of deps.steer()) log.record("user.message", { message });
    if (deps.maxTurns !== undefined && log.state.turn >= deps.maxTurns) {
      return { kind: "max_turns", limit: deps.maxTurns };
    }
    const over = overspent(deps.budget, log.state);
    if (over !== undefined) return over;
    const end = await oneRequest(deps, choice, output, signal);
    if (end !== undefined) return end;
  }
}

/** One model request. Undefined: there are calls to run. */
async function oneRequest(
  deps: LoopDeps,
  choice: ModelChoice,
  output: OutputWatch | undefined,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const { log } = deps;
  const first = choice.current().id;
  log.record("model.requested", {
    model: first,
    turn: log.state.turn + 1,
    messages: log.state.messages.length,
  });
  const answer = await askWithRetries(deps, choice, signal);
  // Another one where it fell back on the way.
  const model = choice.current().id;
  if (answer.kind === "failed") {
    return answer.failure.kind === "context_overflow"
      ? overflow(model, answer.failure.message)
      : { kind: "model_error", message: answer.message };
  }
  if (answer.kind === "interrupted") {
    const { message, usage } = answer.partial;
    const cut = { ...priced(deps, model, usage), message, durationMs: answer.durationMs, interrupted: true };
    // Also without a word of text: what was spent counts.
    log.record("model.completed", { ...cut, stopReason: "other" });
    return interrupted(signal);
  }
  const { message, usage, stopReason } = answer.completion;
  const spent = priced(deps, model, usage);
  log.record("model.completed", { ...spent, message, stopReason, durationMs: answer.durationMs });
  if (message.parts.some((part) => part.type === "toolCall")) return undefined;
  const text = finalText(message);
  if (stopReason === "context_overflow") return overflow(model, "the answer was cut short.");
  if (output === undefined) return { kind: "completed", text, stopReason };
  const ended = await output.afterText(text);
  return ended === undefined ? undefined : outputEnd(deps, ended, stopReason);
}

/** What an answer used, with its cost where the price is known. */
function priced(deps: LoopDeps, model: string, usage: Usage) {
  const costUsd = deps.prices?.cost(model, usage);
  return { model, usage, ...(costUsd === undefined ? {} : { costUsd }) };
}

function overflow(model: string, detail: string): TurnEnd {
  const message =
    `The conversation no longer fits the context window of ${model}: ${detail} ` +
    "Start a new session, or choose a model with a larger window.";
  return { kind: "context_overflow", message };
}

function outputEnd(deps: LoopDeps, end: OutputEnd, stopReason: string): TurnEnd {
  if (end.kind === "failed") return { kind: "max_structured_output_retries", message: end.message };
  const { messages } = deps.log.state;
  const last = messages.findLast((message) => message.role === "assistant");
  return { kind: "completed", text: outputText(last, end.value), stopReason, structured: end.value };
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
    case "denied_interrupt":
      return failed(base, end.message, "denied_interrupt");
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

function failed(
  base: Omit<EventData<"result">, "subtype" | "terminalReason">,
  message: string,
  terminalReason: string,
): EventData<"result"> {
  return { ...base, subtype: "error_during_execution", errors: [message], terminalReason };
}
