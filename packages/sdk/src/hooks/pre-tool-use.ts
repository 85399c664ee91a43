import type { JsonObject } from "../protocol/index.ts";
import { chainRewrites } from "./chain-rewrites.ts";
import type { HookTable } from "./compile.ts";
import { type CommonEffect, joined } from "./joined.ts";
import { type HookCall, type HookRunDeps, runMatching } from "./run-matching.ts";
import { reasonsOf, weigh } from "./weigh.ts";

/** What all matching hooks together mean for the call. With a `stop` it must not run. */
export interface PreToolUseEffect extends CommonEffect {
  readonly behavior?: "allow" | "deny" | "ask" | "defer";
  readonly reason?: string;
  /** The input with every rewrite in it. Not validated yet. */
  readonly updatedInput?: JsonObject;
}

/**
 * Runs the matching PreToolUse hooks in parallel and joins their answers in the order in which the
 * hooks were given, however long each took: deny, then defer, then ask, then allow.
 *
 * Never rejects. When `signal` has fired, the caller drops the effect.
 */
export async function runPreToolUse(
  table: HookTable,
  call: HookCall,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<PreToolUseEffect> {
  const runs = await runMatching(
    table,
    "PreToolUse",
    call,
    (fields) => ({ ...fields, hook_event_name: "PreToolUse" }),
    signal,
    deps,
  );
  const winners = weigh(runs);
  const rewrites = runs.flatMap((run) => {
    const one = "answer" in run ? run.answer.updatedInput : undefined;
    return one === undefined ? [] : [one];
  });
  const updatedInput = chainRewrites(call.input, rewrites);
  return {
    ...joined(runs, call.toolUseId),
    ...(winners[0] === undefined ? {} : { behavior: winners[0].behavior, reason: reasonsOf(winners) }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
  };
}
