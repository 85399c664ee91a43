import type { EventData } from "../protocol/index.ts";
import type { HookAnswer } from "./read-output.ts";
import type { HookRun } from "./run-hook.ts";

type HookRanData = EventData<"hook.ran">;

/** What the log keeps of one callback's run. */
export function ranEvent(run: HookRun, callId: string): HookRanData {
  const outcome = "failure" in run ? "failed" : outcomeOf(run.answer);
  const said = "failure" in run ? run.failure : (run.answer.reason ?? run.answer.stop?.reason);
  return {
    event: run.hook.event,
    callId,
    outcome,
    detail: said === undefined ? run.hook.place : `${run.hook.place}: ${said}`,
    durationMs: run.durationMs,
  };
}

function outcomeOf(answer: HookAnswer): HookRanData["outcome"] {
  if (answer.behavior !== undefined) return answer.behavior;
  if (answer.block === true || answer.stop !== undefined) return "block";
  if (answer.updatedInput !== undefined || answer.updatedOutput !== undefined) return "rewrite";
  return answer.context === undefined ? "no_opinion" : "context";
}
