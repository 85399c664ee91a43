import type { Clock } from "../platform/index.ts";
import type { BaseHookInput, HookInput, JsonObject } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import type { CompiledHook } from "./compile.ts";
import type { HookSubject } from "./matcher.ts";
import { type HookRun, runHook } from "./run-hook.ts";

/** One call, as hooks are told of it. */
export interface HookCall {
  readonly subject: HookSubject;
  readonly input: JsonObject;
  readonly toolUseId: string;
  /** The fields that every input has; asked for once, and only when a hook matches. */
  readonly base: () => BaseHookInput;
}

/** What every hook around a call is told. */
export interface CallFields extends BaseHookInput {
  readonly tool_name: string;
  readonly tool_input: JsonObject;
  readonly tool_use_id: string;
}

/**
 * Runs hooks in parallel, each with an input of its own, and gives their ends in the order of the hooks.
 * Never rejects.
 *
 * @param complete makes the input of one hook.
 */
export function runMatching(
  hooks: readonly CompiledHook[],
  call: HookCall,
  complete: (fields: CallFields) => HookInput,
  signal: AbortSignal,
  clock: Clock,
): Promise<HookRun[]> {
  const base = call.base();
  const fields = (): CallFields => ({
    ...base,
    tool_name: call.subject.name,
    tool_input: ownCopy(call.input),
    tool_use_id: call.toolUseId,
  });
  return Promise.all(hooks.map((hook) => runHook(hook, complete(fields()), call.toolUseId, signal, clock)));
}

/** Schemas may make values that are no JSON (dates); these are shared, the rest is copied. */
function ownCopy(input: JsonObject): JsonObject {
  const copied = copyJson(input);
  return copied.ok ? (copied.value as JsonObject) : { ...input };
}
