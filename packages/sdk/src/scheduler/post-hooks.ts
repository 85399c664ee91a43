import type { RunVerdict } from "../gate/index.ts";
import { holdsOf, hookCall, hookRunDeps } from "../gate/index.ts";
import { type HookCall, runPostToolUse, runPostToolUseFailure, tellEffect } from "../hooks/index.ts";
import type { JsonValue, ResultPart } from "../protocol/index.ts";
import { normaliseResult } from "../tools/index.ts";
import { cancelReason } from "./cancel-reason.ts";
import type { CallEnd } from "./outlast.ts";
import type { Ending } from "./results.ts";
import { textPart } from "./results.ts";
import { withStoredFiles } from "./stored-files.ts";
import type { SchedulerDeps } from "./types.ts";

export interface Hooked {
  readonly ending: Ending;
  readonly stop?: { readonly reason: string };
}

/** A call that ran, as the hooks behind it are told of it. */
export interface Ran {
  readonly callId: string;
  readonly verdict: RunVerdict;
  readonly ending: Ending;
  readonly stopped: CallEnd["stopped"];
  /** Milliseconds that are left of the grace, where the run was stopped. */
  readonly graceLeft: number | undefined;
}

/** Whether a hook stands behind calls that ended so. */
export function hasPostHooks({ isError }: Ending, deps: SchedulerDeps): boolean {
  return deps.hooks.has(isError ? "PostToolUseFailure" : "PostToolUse");
}

/**
 * Lets the hooks see what a call came to: PostToolUse may replace and comment what succeeded, PostToolUseFailure
 * comment what failed. Behind a run that was stopped they have what is left of the grace.
 */
export async function runPostHooks(ran: Ran, signal: AbortSignal, deps: SchedulerDeps): Promise<Hooked> {
  const { ending, stopped, graceLeft } = ran;
  const isInterrupt = stopped !== undefined && stopped !== "timeout";
  const run = (under: AbortSignal): Promise<Hooked> =>
    ending.isError ? failure(ran, isInterrupt, under, deps) : success(ran, under, deps);
  if (!isInterrupt) return run(signal);
  const late = new AbortController();
  const timer = deps.platform.clock.timer(graceLeft ?? 0, () => late.abort(cancelReason(stopped)));
  try {
    return await run(late.signal);
  } finally {
    timer.cancel();
  }
}

async function success(ran: Ran, signal: AbortSignal, deps: SchedulerDeps): Promise<Hooked> {
  const { ending, verdict } = ran;
  const call = { ...callOf(ran, deps), response: () => ending.structured ?? responseOf(ending.content) };
  const effect = await runPostToolUse(deps.hooks, call, signal, hookRunDeps(deps));
  tellEffect(effect, deps);
  const replaced =
    effect.updatedOutput === undefined
      ? ending
      : await withStoredFiles(
          replace(ending, effect.updatedOutput.value, verdict),
          verdict.tool.name,
          deps.artifacts,
        );
  const blocks = effect.blocks.map((reason) => textPart(`A PostToolUse hook objects: ${reason}`));
  return {
    ending: withContext({ ...replaced, content: [...replaced.content, ...blocks] }, effect.contexts),
    ...(effect.stop === undefined ? {} : { stop: effect.stop }),
  };
}

async function failure(
  ran: Ran,
  isInterrupt: boolean,
  signal: AbortSignal,
  deps: SchedulerDeps,
): Promise<Hooked> {
  const { ending } = ran;
  const call = { ...callOf(ran, deps), error: () => errorOf(ending.content), isInterrupt };
  const effect = await runPostToolUseFailure(deps.hooks, call, signal, hookRunDeps(deps));
  tellEffect(effect, deps);
  return {
    ending: withContext(ending, effect.contexts),
    ...(effect.stop === undefined ? {} : { stop: effect.stop }),
  };
}

function callOf({ callId, verdict }: Ran, deps: SchedulerDeps): HookCall {
  const { tool, input, facts, targets, basis } = verdict;
  return {
    ...hookCall(tool, input, callId, deps, deps),
    holds: holdsOf({ facts, targets, context: basis.context }),
  };
}

function withContext(ending: Ending, contexts: readonly string[]): Ending {
  return contexts.length === 0 ? ending : { ...ending, context: [...(ending.context ?? []), ...contexts] };
}

/** What the tool gave is gone then, structured form and artifacts too: a hook may have taken a secret out. */
function replace(ending: Ending, value: JsonValue, verdict: RunVerdict): Ending {
  const { structured: _, artifacts: _old, ...rest } = ending;
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "content")) {
    const { content, isError, structured, artifacts } = normaliseResult(value, verdict.tool);
    return {
      ...rest,
      outcome: isError ? "failed" : rest.outcome,
      content,
      isError,
      ...(structured === undefined ? {} : { structured }),
      ...(artifacts === undefined ? {} : { artifacts }),
    };
  }
  if (typeof value === "string") return { ...rest, content: [textPart(value)] };
  return { ...rest, content: [textPart(JSON.stringify(value))], structured: value };
}

function responseOf(content: readonly ResultPart[]): JsonValue {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length === content.length) return texts.join("\n");
  return content.map((part) =>
    part.type === "text" ? { type: "text", text: part.text } : { type: "file", mediaType: part.mediaType },
  );
}

function errorOf(content: readonly ResultPart[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
