import type { RunVerdict } from "../gate/index.ts";
import type { ToolCallPart } from "../protocol/index.ts";
import { cancelCode } from "./cancel-reason.ts";
import { internalFault, isLogError } from "./faults.ts";
import type { Nest } from "./nest.ts";
import type { Spot } from "./parking.ts";
import { confirm, isLeftOpen } from "./preflight.ts";
import type { Ending } from "./results.ts";
import { notRun, notRunFor, textPart } from "./results.ts";
import type { Round } from "./round.ts";
import { runCall } from "./run-call.ts";
import type { SchedulerDeps } from "./types.ts";

/** Writes the one result of a call. */
export function finish(callId: string, name: string, ending: Ending, deps: SchedulerDeps): void {
  deps.gate.over(callId);
  deps.recorder.record("tool.finished", { callId, name, ...ending });
}

/**
 * From the write of `tool.started` to the call's one result, which it gives back as it was written.
 *
 * @param note for the model, behind the result.
 * @param again how the call is looked at once more before it begins.
 * @returns undefined where it is left open: it waits in the inbox once more, was answered too late to begin, or rests.
 * @throws what a log that cannot be written throws.
 */
export async function execute(
  part: ToolCallPart,
  verdict: RunVerdict,
  note: string | undefined,
  messageId: string,
  round: Round,
  deps: SchedulerDeps,
  nest: Nest,
  again: Again = {},
): Promise<Ending | undefined> {
  try {
    const ran = await runOne(part, verdict, messageId, round, deps, nest, again);
    if (ran === undefined) return undefined;
    const { ending: plain, name } = ran;
    const ending = note === undefined ? plain : { ...plain, content: [...plain.content, textPart(note)] };
    finish(part.id, name, ending, deps);
    return ending;
  } catch (error) {
    if (isLogError(error)) throw error;
    const ending = internalFault(error, "ran");
    finish(part.id, verdict.tool.name, ending, deps);
    return ending;
  }
}

interface Again {
  /** Other calls may have changed the disk since the verdict. */
  readonly isStale?: boolean;
  /** Where it may wait for somebody. */
  readonly spot?: Spot;
}

/** One allowed call. What it is told to stop by before it began, or refused on a second look, does not run. */
async function runOne(
  part: ToolCallPart,
  allowed: RunVerdict,
  messageId: string,
  round: Round,
  deps: SchedulerDeps,
  nest: Nest,
  { isStale = false, spot }: Again,
): Promise<{ readonly name: string; readonly ending: Ending } | undefined> {
  const ended = round.ended();
  if (ended !== undefined) {
    if (spot !== undefined && isLeftOpen(part.id, round, deps)) return undefined;
    return { name: allowed.tool.name, ending: notRun(ended) };
  }
  let verdict = allowed;
  if (isStale || !deps.gate.isCurrent(verdict)) {
    const again = await confirm(verdict, part, round, deps, isStale, spot);
    if (again.kind === "open") return undefined;
    if (again.kind === "ended") return again;
    verdict = again.verdict;
  }
  const { name } = verdict.tool;
  const repeatable = verdict.facts.readOnly || verdict.tool.idempotent;
  deps.recorder.record("tool.started", {
    callId: part.id,
    name,
    repeatable,
    ...(verdict.asked ? { approved: true } : {}),
  });
  if (!repeatable) {
    await deps.recorder.barrier(deps.syncWrites);
    if (round.signal.aborted) return { name, ending: notRunFor(cancelCode(round.signal)) };
    if (!deps.gate.isCurrent(verdict)) {
      const again = await confirm(verdict, part, round, deps);
      if (again.kind !== "ready") return again.kind === "ended" ? again : undefined;
      verdict = again.verdict;
    }
  }
  const { ending, stop } = await runCall(part.id, verdict, messageId, round, deps, nest);
  if (stop !== undefined) round.stop(stop.reason);
  // It rests on a timer, and whoever goes on with the session rests on.
  const rests = spot !== undefined && ending.outcome === "cancelled" && deps.services.timers?.rests(part.id);
  if (rests === true && round.staysOpen()) return undefined;
  return { name, ending };
}
