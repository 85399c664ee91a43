import type { EventData } from "../protocol/index.ts";
import type { HookAnswer } from "./answer.ts";
import type { HookRun } from "./run-hook.ts";

type HookRanData = EventData<"hook.ran">;

/** What the log keeps of one callback's run. */
export function ranEvent(run: HookRun, callId: string | undefined): HookRanData {
  const { event, place } = run.hook;
  const failed = "failure" in run;
  const detail = failed ? run.failure : (run.answer.reason ?? run.answer.stop?.reason);
  return {
    event,
    hook: place,
    ...(run.runId === undefined ? {} : { runId: run.runId }),
    ...(callId === undefined ? {} : { callId }),
    outcome: failed ? "failed" : outcomeOf(run.answer, run.hook.isPartial === true),
    ...(detail === undefined ? {} : { detail }),
    ...(!failed && run.answer.suppressOutput === true ? { suppressed: true } : {}),
    durationMs: run.durationMs,
  };
}

function outcomeOf(answer: HookAnswer, isPartial: boolean): HookRanData["outcome"] {
  if (answer.behavior !== undefined && !(isPartial && answer.behavior === "allow")) return answer.behavior;
  if (answer.block === true || answer.stop !== undefined) return "block";
  if (answer.updatedInput !== undefined || answer.updatedOutput !== undefined) return "rewrite";
  return answer.context === undefined ? "no_opinion" : "context";
}
