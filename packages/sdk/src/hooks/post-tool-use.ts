import type { Clock } from "../platform/index.ts";
import type { EventData, HookInput, JsonValue } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import type { HookTable } from "./compile.ts";
import { warningsOf } from "./pre-tool-use.ts";
import { ranEvent } from "./ran-event.ts";
import { type CallFields, type HookCall, runMatching } from "./run-matching.ts";

/** What all matching hooks together mean for a result. */
export interface PostToolUseEffect {
  /** Takes the place of the tool's output; the last hook that gives one wins. */
  readonly updatedOutput?: { readonly value: JsonValue };
  readonly contexts: readonly string[];
  /** Objections that the model reads beside the result. */
  readonly blocks: readonly string[];
  readonly stop?: { readonly reason: string };
  readonly systemMessages: readonly string[];
  readonly warnings: readonly string[];
  readonly runs: readonly EventData<"hook.ran">[];
}

export interface HookResultCall extends HookCall {
  /** The tool's output; asked for once, and only when a hook matches. */
  readonly response: () => JsonValue;
}

/** Runs the matching PostToolUse hooks in parallel; joined in the order in which they were given. Never rejects. */
export async function runPostToolUse(
  table: HookTable,
  call: HookResultCall,
  signal: AbortSignal,
  deps: { readonly clock: Clock },
): Promise<PostToolUseEffect> {
  const hooks = table.matching("PostToolUse", call.subject);
  if (hooks.length === 0) return NO_EFFECT;
  const response = call.response();
  const complete = (fields: CallFields): HookInput => ({
    ...fields,
    hook_event_name: "PostToolUse",
    tool_response: ownCopy(response),
  });
  const runs = await runMatching(hooks, call, complete, signal, deps.clock);
  const answers = runs.flatMap((run) => ("answer" in run ? [run.answer] : []));
  const updatedOutput = answers.findLast((answer) => answer.updatedOutput !== undefined)?.updatedOutput;
  const stop = answers.find((answer) => answer.stop !== undefined)?.stop;
  return {
    ...(updatedOutput === undefined ? {} : { updatedOutput }),
    ...(stop === undefined ? {} : { stop }),
    contexts: answers.flatMap((answer) => answer.context ?? []),
    blocks: runs.flatMap((run) => {
      if ("answer" in run) return run.answer.block === true ? [run.answer.reason ?? "it gave no reason"] : [];
      return run.hook.onFailure === "block" ? [`The hook ${run.hook.place} failed: ${run.failure}`] : [];
    }),
    systemMessages: answers.flatMap((answer) => answer.systemMessage ?? []),
    warnings: runs.flatMap(warningsOf),
    runs: runs.map((run) => ranEvent(run, call.toolUseId)),
  };
}

const NO_EFFECT: PostToolUseEffect = { contexts: [], blocks: [], systemMessages: [], warnings: [], runs: [] };

function ownCopy(value: JsonValue): JsonValue {
  const copied = copyJson(value);
  return copied.ok ? copied.value : value;
}
