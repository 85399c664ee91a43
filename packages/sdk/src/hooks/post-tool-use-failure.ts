import type { HookTable } from "./compile.ts";
import { type CommonEffect, joined } from "./joined.ts";
import { type HookCall, type HookRunDeps, runMatching } from "./run-matching.ts";

export interface HookFailedCall extends HookCall {
  /** What the model reads; asked for only when a hook matches. */
  readonly error: () => string;
  readonly isInterrupt: boolean;
}

/** Runs the matching PostToolUseFailure hooks in parallel. Never rejects. */
export async function runPostToolUseFailure(
  table: HookTable,
  call: HookFailedCall,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<CommonEffect> {
  const runs = await runMatching(
    table,
    "PostToolUseFailure",
    call,
    (fields) => ({
      ...fields,
      hook_event_name: "PostToolUseFailure",
      error: call.error(),
      is_interrupt: call.isInterrupt,
    }),
    signal,
    deps,
  );
  return joined(runs, call.toolUseId);
}
