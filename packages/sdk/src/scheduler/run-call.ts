import type { RunVerdict } from "../gate/index.ts";
import type { CancelCode } from "../protocol/index.ts";
import { checkOutput, normaliseResult, normaliseThrow } from "../tools/index.ts";
import { createInvocation } from "./invocation.ts";
import type { Nest } from "./nest.ts";
import type { CallEnd } from "./outlast.ts";
import { outlast } from "./outlast.ts";
import type { Hooked } from "./post-hooks.ts";
import { hasPostHooks, runPostHooks } from "./post-hooks.ts";
import type { Ending } from "./results.ts";
import { cancelledBy, textPart, timedOut } from "./results.ts";
import type { Round } from "./round.ts";
import { spill } from "./spill.ts";
import { spillStructured } from "./spill-structured.ts";
import { storeFiles } from "./store-files.ts";
import { withStoredFiles } from "./stored-files.ts";
import type { SchedulerDeps } from "./types.ts";

/**
 * Calls the tool and makes of whatever comes of it an ending: a result, a failure, a time-out or a
 * cancellation. It waits no longer than the call's limits allow.
 */
export async function runCall(
  callId: string,
  verdict: RunVerdict,
  assistantMessageId: string,
  round: Pick<Round, "signal" | "patient" | "graceMs">,
  deps: SchedulerDeps,
  nest: Nest,
): Promise<Hooked> {
  const { clock } = deps.platform;
  const { tool, input } = verdict;
  const { graceMs } = round;
  const signal = interruptBehavior(verdict) === "block" ? round.patient() : round.signal;
  const began = clock.monotonic();
  const invocation = createInvocation(callId, verdict, assistantMessageId, deps, nest);
  const { context } = invocation;
  const call = (async () => tool.call(input, context, context.progress))();
  let stoppedAt: number | undefined;
  const stop = (code: CancelCode): void => {
    stoppedAt = clock.monotonic();
    invocation.stop(code);
  };
  const end = await outlast(call, { signal, timeoutMs: tool.timeoutMs, graceMs, clock, stop });
  invocation.close();

  const plain: Ending = {
    ...(await withStoredFiles(endingOf(end, verdict, deps), tool.name, deps.artifacts)),
    durationMs: clock.monotonic() - began,
    ...(verdict.hookContexts.length === 0 ? {} : { context: verdict.hookContexts }),
  };
  if (!hasPostHooks(plain, deps)) return { ending: await stored(plain, verdict, deps) };
  const left = stoppedAt === undefined ? undefined : graceMs - (clock.monotonic() - stoppedAt);
  const graceLeft = left === undefined ? undefined : Math.max(0, left);
  const ran = { callId, verdict, ending: plain, stopped: end.stopped, graceLeft };
  // What a new message let finish has its hooks as well; those that it meets at work are ended.
  const hooked = await runPostHooks(ran, round.signal.aborted ? signal : round.signal, deps);
  return { ...hooked, ending: await stored(hooked.ending, verdict, deps) };
}

/** What a model cannot or need not read goes into the artifact store. */
async function stored(ending: Ending, { tool }: RunVerdict, deps: SchedulerDeps): Promise<Ending> {
  const files = await storeFiles(ending.content, tool.name, deps);
  const { content, artifact } = await spill(files.content, tool, deps);
  const { structured: given, ...rest } = ending;
  const structure = await spillStructured(given, tool.name, deps);
  const added = [...files.artifacts, artifact, structure.artifact].filter((ref) => ref !== undefined);
  return {
    ...rest,
    content,
    ...(structure.structured === undefined ? {} : { structured: structure.structured }),
    ...(added.length === 0 ? {} : { artifacts: [...(ending.artifacts ?? []), ...added] }),
  };
}

function endingOf(end: CallEnd, verdict: RunVerdict, deps: SchedulerDeps): Ending {
  const { tool } = verdict;
  if (end.stopped === "timeout") {
    const ms = tool.timeoutMs ?? 0;
    if (end.kind !== "returned") return timedOut(tool.name, ms, end.kind);
    const partial = returned(end.value, verdict, deps);
    const note = textPart(`[Stopped after ${ms} ms, its time limit; this is what it gave until then.]`);
    return { ...partial, content: [...partial.content, note] };
  }
  if (end.stopped !== undefined) {
    if (end.kind !== "returned") return cancelledBy(end.stopped, end.kind);
    if (interruptBehavior(verdict) === "cancel") return cancelledBy(end.stopped, "dropped");
    return returned(end.value, verdict, deps);
  }
  if (end.kind === "returned") return returned(end.value, verdict, deps, true);
  const error = end.kind === "threw" ? end.error : undefined;
  const { content } = normaliseThrow(error);
  return { outcome: "failed", content, isError: true };
}

/** `whole`: nothing stopped the call, so what its outputSchema says must be there. */
function returned(value: unknown, verdict: RunVerdict, deps: SchedulerDeps, whole = false): Ending {
  const read = normaliseResult(value, verdict.tool);
  const { content, isError, structured, artifacts, warnings } = whole
    ? checkOutput(read, verdict.tool)
    : read;
  for (const warning of warnings) deps.notify("warning", warning);
  return {
    outcome: isError ? "failed" : "finished",
    content,
    isError,
    ...(structured === undefined ? {} : { structured }),
    ...(artifacts === undefined ? {} : { artifacts }),
  };
}

function interruptBehavior({ tool }: RunVerdict): "cancel" | "block" {
  try {
    return tool.interruptBehavior() === "cancel" ? "cancel" : "block";
  } catch {
    return "block";
  }
}
