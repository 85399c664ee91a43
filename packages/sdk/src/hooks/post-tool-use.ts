import type { JsonValue } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import type { HookTable } from "./compile.ts";
import { blocksOf, type CommonEffect, joined } from "./joined.ts";
import { type HookCall, type HookRunDeps, runMatching } from "./run-matching.ts";

/** What all matching hooks together mean for a result. */
export interface PostToolUseEffect extends CommonEffect {
  /** Takes the place of the tool's output; the last hook that gives one wins. */
  readonly updatedOutput?: { readonly value: JsonValue };
  /** Objections that the model reads beside the result. */
  readonly blocks: readonly string[];
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
  deps: HookRunDeps,
): Promise<PostToolUseEffect> {
  let response: { readonly value: JsonValue } | undefined;
  const runs = await runMatching(
    table,
    "PostToolUse",
    call,
    (fields) => {
      response ??= { value: call.response() };
      return { ...fields, hook_event_name: "PostToolUse", tool_response: ownCopy(response.value) };
    },
    signal,
    deps,
  );
  const outputs = runs.flatMap((run) => ("answer" in run ? (run.answer.updatedOutput ?? []) : []));
  const updatedOutput = outputs.at(-1);
  return {
    ...joined(runs, call.toolUseId),
    ...(updatedOutput === undefined ? {} : { updatedOutput }),
    blocks: blocksOf(runs),
  };
}

function ownCopy(value: JsonValue): JsonValue {
  const copied = copyJson(value);
  return copied.ok ? copied.value : value;
}
