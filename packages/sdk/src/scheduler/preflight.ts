import type { GateScope, RefuseVerdict, RunVerdict, Verdict } from "../gate/index.ts";
import type { JsonObject, ToolCallPart } from "../protocol/index.ts";
import { jsonEqual } from "../tools/index.ts";
import { cancelCode } from "./cancel-reason.ts";
import { internalFault, isLogError } from "./faults.ts";
import type { Spot } from "./parking.ts";
import { recordable } from "./recordable.ts";
import type { Ending } from "./results.ts";
import { notRunFor, textEnding, unknownOutcome } from "./results.ts";
import type { Round } from "./round.ts";
import type { EarlierCall, SchedulerDeps } from "./types.ts";

export type Preflight =
  | { readonly kind: "ready"; readonly verdict: RunVerdict }
  | { readonly kind: "ended"; readonly name: string; readonly ending: Ending }
  /** The session ends, or pauses, while the call waits in the inbox: it has no result. */
  | { readonly kind: "open"; readonly name: string };

/**
 * Everything before a call may run. What does not run has its ending here, and so does a fault of ours.
 *
 * @throws what a log that cannot be written throws.
 */
export async function preflight(
  part: ToolCallPart,
  assistantMessageId: string,
  earlier: EarlierCall | undefined,
  round: Round,
  deps: SchedulerDeps,
  spot?: Spot,
): Promise<Preflight> {
  try {
    if (earlier?.started?.repeatable === false) {
      return { kind: "ended", name: part.name, ending: unknownOutcome() };
    }
    const input = inputOf(part);
    if (typeof input === "string") {
      return { kind: "ended", name: part.name, ending: textEnding("failed", input) };
    }
    const plain = { id: part.id, name: part.name, input, assistantMessageId };
    const call = part.redacted === true ? { ...plain, isRedacted: true as const } : plain;
    return settle(await deps.gate.authorise(call, scopeOf(round, deps, spot)), part, round, deps, spot);
  } catch (error) {
    if (isLogError(error)) throw error;
    return { kind: "ended", name: part.name, ending: internalFault(error, "judged") };
  }
}

/**
 * Looks again right before a call runs; a call whose policy did not change passes without an await.
 *
 * @param anew looks at the disk in any case.
 * @param spot where the call may wait for somebody once more. Absent: it has begun, and is not left open.
 */
export async function confirm(
  verdict: RunVerdict,
  part: ToolCallPart,
  round: Round,
  deps: SchedulerDeps,
  anew = false,
  spot?: Spot,
): Promise<Preflight> {
  const again = await deps.gate.confirm(verdict, scopeOf(round, deps, spot), anew);
  return settle(again, part, round, deps, spot, verdict);
}

function settle(
  verdict: Verdict,
  part: ToolCallPart,
  round: Round,
  deps: SchedulerDeps,
  spot: Spot | undefined,
  before?: RunVerdict,
): Preflight {
  if (verdict.kind === "cancelled") {
    if (spot !== undefined && isLeftOpen(part.id, round, deps)) return { kind: "open", name: part.name };
    const code = round.signal.aborted ? cancelCode(round.signal) : "abort";
    return { kind: "ended", name: part.name, ending: notRunFor(code) };
  }
  const name = verdict.tool?.name ?? part.name;
  if (!isRestated(verdict, before)) recordDecision(verdict, part, name, deps);
  if (verdict.kind === "run") return { kind: "ready", verdict };
  if (verdict.stop !== undefined) round.stop(verdict.stop.reason);
  if (verdict.interrupt === true) round.denyAndInterrupt();
  const ending = textEnding(verdict.code === "denied" ? "denied" : "failed", verdict.text);
  const { hookContexts } = verdict;
  return {
    kind: "ended",
    name,
    ending: hookContexts.length === 0 ? ending : { ...ending, context: hookContexts },
  };
}

/** A second look that came to the same: the log has it already. */
function isRestated(verdict: RunVerdict | RefuseVerdict, before: RunVerdict | undefined): boolean {
  if (before === undefined || verdict.kind !== "run") return false;
  const { decision, input, asked, facts } = before;
  const now = verdict.decision;
  return (
    now.message === decision.message &&
    verdict.asked === asked &&
    verdict.facts.openWorld === facts.openWorld &&
    jsonEqual([now.reason, now.rule ?? null, verdict.input], [decision.reason, decision.rule ?? null, input])
  );
}

function recordDecision(
  verdict: RunVerdict | RefuseVerdict,
  part: ToolCallPart,
  name: string,
  deps: SchedulerDeps,
): void {
  const { decision, input } = verdict;
  if (decision === undefined) return;
  const openWorld = verdict.kind === "run" && verdict.facts.openWorld;
  deps.recorder.record("tool.decided", {
    callId: part.id,
    name,
    behavior: verdict.kind === "run" ? "allow" : "deny",
    message: decision.message,
    reason: decision.reason,
    ...(decision.rule === undefined ? {} : { rule: decision.rule }),
    ...(jsonEqual(input, part.input) ? {} : { input: forLog(input, part, name, deps) }),
    ...(verdict.asked === true || isHookAnswered(verdict) ? { asked: true } : {}),
    ...(openWorld ? { openWorld } : {}),
  });
}

function forLog(input: JsonObject, part: ToolCallPart, name: string, deps: SchedulerDeps): JsonObject {
  const { input: held, lost } = recordable(input);
  if (lost.length > 0) {
    deps.log?.("info", `The log cannot hold the input of ${name} as it is: ${lost.join(", ")}.`, part.id);
  }
  return held;
}

function isHookAnswered(verdict: RunVerdict | RefuseVerdict): boolean {
  return verdict.kind === "run" && verdict.hookAnswered === true;
}

/** The session ends, or pauses, and a question about the call stands: whoever goes on with it goes on with the call. */
export function isLeftOpen(callId: string, round: Round, { gate }: SchedulerDeps): boolean {
  return round.staysOpen() && gate.isAsked(callId);
}

function scopeOf(round: Round, deps: SchedulerDeps, spot: Spot | undefined): GateScope {
  return {
    signal: round.signal,
    ...(deps.agentId === undefined ? {} : { agentId: deps.agentId }),
    ...(spot === undefined ? {} : { spot }),
  };
}

const SHOWN = 500;

/** The input object, or what is wrong with what the model sent. */
function inputOf(part: ToolCallPart): JsonObject | string {
  const { input, invalidInput, name } = part;
  if (invalidInput !== undefined) {
    const shown = invalidInput.length > SHOWN ? `${invalidInput.slice(0, SHOWN)}…` : invalidInput;
    return `The input of ${name} is not JSON (${parseProblem(invalidInput)}), so it did not run. It was: ${shown}`;
  }
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  return `The input of ${name} must be a JSON object, so it did not run. It was: ${JSON.stringify(input)?.slice(0, SHOWN)}`;
}

function parseProblem(text: string): string {
  try {
    JSON.parse(text);
    return "it is no object, or nested too deeply";
  } catch (error) {
    return error instanceof Error ? error.message : "it could not be read";
  }
}
