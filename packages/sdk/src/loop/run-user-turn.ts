import type { AssistantMessage, UserMessage } from "../protocol/index.ts";
import type { RoundOutcome } from "../scheduler/index.ts";
import { openRound } from "../sessions/index.ts";
import { askWithRetries, createModelChoice, type ModelChoice } from "./ask-with-retries.ts";
import { overspent } from "./budget.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";
import { hearFirst, hearNews, hearSteering } from "./hear-user.ts";
import { interrupted } from "./interrupted.ts";
import { compactMidway, compactNow, compactWish, makeRoom, relieve, sortSteering } from "./make-room.ts";
import type { OutputEnd, OutputRule, OutputWatch } from "./output-rule.ts";
import { priced } from "./priced.ts";
import { resultData } from "./result-data.ts";
import { type StopWatch, watchStop } from "./stop-hooks.ts";

/**
 * Runs one user turn: model, tools, model …, until the model has nothing more to call or a stop
 * condition holds. Ends with the `result` event written. What was open of an earlier round
 * is finished first, so this is also how a resumed session goes on.
 *
 * Throws only when the log cannot be written.
 *
 * @param message what the turn is about; undefined where a session goes on with what is open.
 * @param settled called when the result is recorded and has yet to be written: the signal changes nothing any more.
 */
export async function runUserTurn(
  deps: LoopDeps,
  signal: AbortSignal,
  message?: UserMessage,
  settled?: () => void,
): Promise<TurnEnd> {
  const began = deps.platform.clock.monotonic();
  const wish = deps.context === undefined ? undefined : compactWish(message);
  const unheard = await hearFirst(deps, wish === undefined ? message : "command", signal);
  const came = unheard ?? (await turns(deps, signal, wish));
  // Who was told that the turn is stopped must not read of a success.
  const end = came.kind === "completed" && signal.aborted ? interrupted(signal) : came;
  const durationMs = Math.round(deps.platform.clock.monotonic() - began);
  deps.log.record("result", resultData(deps, end, durationMs, unheard === undefined && wish === undefined));
  settled?.();
  await deps.log.barrier(deps.syncWrites);
  return end;
}

/** To the end, and on from there while a Stop hook says so. */
function turns(deps: LoopDeps, signal: AbortSignal, wish: string | undefined): Promise<TurnEnd> {
  const choice = createModelChoice(deps);
  if (wish !== undefined) return toWish(deps, choice, signal, wish);
  return deps.output === undefined
    ? pastStops(deps, choice, undefined, signal)
    : withOutput(deps, choice, deps.output, signal);
}

/** Most sessions want no data: its code is loaded with the first turn that does. */
async function withOutput(
  deps: LoopDeps,
  choice: ModelChoice,
  rule: OutputRule,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { watchOutput } = await import("./output-rule.ts");
  return pastStops(deps, choice, watchOutput(rule, deps.log), signal);
}

function pastStops(
  deps: LoopDeps,
  choice: ModelChoice,
  output: OutputWatch | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const stop = watchStop(deps);
  if (stop === undefined) return toEnd(deps, choice, output, stop, signal);
  return pastStopHooks(deps, choice, output, stop, signal);
}

async function toWish(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
  wish: string,
): Promise<TurnEnd> {
  const stopped = await roundOver(deps, await openCalls(deps, signal), signal);
  return stopped ?? compactNow(deps, choice, signal, wish);
}

async function pastStopHooks(
  deps: LoopDeps,
  choice: ModelChoice,
  output: OutputWatch | undefined,
  stop: StopWatch,
  signal: AbortSignal,
): Promise<TurnEnd> {
  for (;;) {
    const end = await toEnd(deps, choice, output, stop, signal);
    if (end.kind !== "completed") return end;
    const settled = await stop.settle(end, signal);
    if (settled !== undefined) return settled;
  }
}

async function toEnd(
  deps: LoopDeps,
  choice: ModelChoice,
  output: OutputWatch | undefined,
  stop: StopWatch | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { log } = deps;
  for (;;) {
    const stopped = await roundOver(deps, await openCalls(deps, signal), signal);
    if (stopped !== undefined) return stopped;
    const answered = output?.afterRound();
    if (answered !== undefined) return outputEnd(answered, "tool_use");
    const steering = deps.steering.steer();
    if (steering.length > 0) {
      stop?.reset();
      output?.reset();
      const { said, commands } = sortSteering(deps, steering);
      const unheard =
        (await hearSteering(deps, said, signal, commands)) ??
        (await compactMidway(deps, choice, signal, commands));
      if (unheard !== undefined) return unheard;
    }
    hearNews(deps);
    if (deps.maxTurns !== undefined && log.state.turn >= deps.maxTurns) {
      return { kind: "max_turns", limit: deps.maxTurns };
    }
    const over = overspent(deps.budget, log.state);
    if (over !== undefined) return over;
    const end =
      (await makeRoom(deps, choice, signal)) ?? (await requestWithRoom(deps, choice, output, signal));
    if (end !== undefined) return end;
  }
}

/** Runs the calls that are open, if any. They may wait for days: whoever awaits them is suspended, and nobody between. */
function openCalls(deps: LoopDeps, signal: AbortSignal): Promise<RoundOutcome> | undefined {
  const { state } = deps.log;
  const open = openRound(state);
  if (open === undefined) return undefined;
  return deps.scheduler.runRound(open.missing, open.assistant.id, signal, state.round?.calls);
}

/** An end where the run is over with its calls. */
async function roundOver(
  { log }: LoopDeps,
  outcome: RoundOutcome | undefined,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  if (outcome !== undefined) {
    const away = log.wake();
    if (away !== undefined) await away;
    const stopped = roundEnd(outcome, signal);
    if (stopped !== undefined) return stopped;
  }
  return signal.aborted ? interrupted(signal) : undefined;
}

/** One model request, and once more over a shorter history where the model says that it is too long. */
async function requestWithRoom(
  deps: LoopDeps,
  choice: ModelChoice,
  output: OutputWatch | undefined,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const end = await oneRequest(deps, choice, output, signal, false);
  if (end?.kind !== "context_overflow") return end;
  const relieved = await relieve(deps, choice, signal);
  if (relieved !== "again") return relieved ?? end;
  return oneRequest(deps, choice, output, signal, true);
}

/** One model request. Undefined: there are calls to run. */
async function oneRequest(
  deps: LoopDeps,
  choice: ModelChoice,
  output: OutputWatch | undefined,
  signal: AbortSignal,
  isAgain: boolean,
): Promise<TurnEnd | undefined> {
  const { log } = deps;
  // The same turn again is still one turn.
  if (!isAgain) {
    const missed = output?.missed();
    log.record("model.requested", {
      model: choice.current().id,
      turn: log.state.turn + 1,
      messages: log.state.messages.length,
      ...(missed === undefined ? {} : { missed }),
    });
  }
  // The model is another one where it fell back on the way, or where a person chose another.
  const { answer, model } = await askWithRetries(deps, choice, signal);
  if (answer.kind === "overspent") return answer.end;
  if (answer.kind === "failed") {
    return answer.failure.kind === "context_overflow"
      ? overflow(model, answer.failure.message, isAgain)
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
  deps.context?.meter.answered(log.state.messages, usage);
  if (message.parts.some((part) => part.type === "toolCall")) return undefined;
  const text = finalText(message);
  if (stopReason === "context_overflow") return overflow(model, "the answer was cut short.", isAgain);
  if (output === undefined) return { kind: "completed", text, stopReason };
  const ended = await output.afterText(text);
  return ended === undefined ? undefined : outputEnd(ended, stopReason);
}

function overflow(model: string, detail: string, isAgain: boolean): TurnEnd {
  const still = isAgain ? ", though it was summed up" : "";
  const message =
    `The conversation no longer fits the context window of ${model}${still}: ${detail} ` +
    "Start a new session, or choose a model with a larger window.";
  return { kind: "context_overflow", message };
}

function outputEnd(end: OutputEnd, stopReason: string): TurnEnd {
  if (end.kind === "failed") return { kind: "max_structured_output_retries", message: end.message };
  return { kind: "completed", text: end.text, stopReason, structured: end.value };
}

function roundEnd(outcome: RoundOutcome, signal: AbortSignal): TurnEnd | undefined {
  if (outcome.interrupted?.by === "denied_interrupt") {
    return { kind: "denied_interrupt", message: "A call was denied, and the run was to end there." };
  }
  if (outcome.interrupted !== undefined) return interrupted(signal);
  if (outcome.paused === true) return { kind: "paused" };
  if (outcome.stop !== undefined) return { kind: "hook_stopped", reason: outcome.stop.reason };
  return undefined;
}

function finalText(message: AssistantMessage): string {
  return message.parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("");
}
