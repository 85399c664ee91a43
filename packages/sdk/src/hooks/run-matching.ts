import type { Holds } from "../permissions/index.ts";
import type { Clock } from "../platform/index.ts";
import type { BaseHookInput, HookEvent, HookInput, JsonObject, ToolHookInput } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import type { CompiledHook, HookTable } from "./compile.ts";
import type { HookSubject } from "./matcher.ts";
import { type HookRun, runHook } from "./run-hook.ts";

/** What running hooks takes from outside. */
export interface HookRunDeps {
  readonly clock: Clock;
  /** Told of each callback before it is called; gives the run's id. Must not throw. */
  readonly started?: ((start: HookStart) => string) | undefined;
}

/** A callback that is about to be called. */
export interface HookStart {
  readonly event: HookEvent;
  readonly hook: string;
  readonly toolUseId: string | undefined;
}

/** One call, as hooks are told of it. */
export interface HookCall {
  readonly subject: HookSubject;
  readonly input: JsonObject;
  readonly toolUseId: string;
  /** The fields that every input has; asked for once, and only when a hook matches. */
  readonly base: () => BaseHookInput;
  /** Asked for hooks with an `if` only. What throws counts as `part`. */
  readonly holds: (rule: string) => Holds | Promise<Holds>;
}

/**
 * Runs the hooks of an event that match and whose `if` holds in parallel, each with an input of its own, and gives
 * their ends in the order of the hooks. Where there are none, nothing is built. Never rejects.
 *
 * @param complete makes the input of one hook.
 */
export async function runMatching(
  table: HookTable,
  event: HookEvent,
  call: HookCall,
  complete: (fields: ToolHookInput) => HookInput,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<readonly HookRun[]> {
  const hooks = table.matching(event, call.subject);
  const due = hooks.some((hook) => hook.condition !== undefined) ? await conditional(hooks, call) : hooks;
  if (due.length === 0) return [];
  const base = call.base();
  const input = (): HookInput =>
    complete({
      ...base,
      tool_name: call.subject.name,
      tool_input: ownCopy(call.input),
      tool_use_id: call.toolUseId,
    });
  return runAll(due, input, call.toolUseId, signal, deps);
}

/** Runs hooks in parallel. Never rejects. */
export function runAll(
  hooks: readonly CompiledHook[],
  input: () => HookInput,
  toolUseId: string | undefined,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<readonly HookRun[]> {
  return Promise.all(
    hooks.map((hook) => {
      const runId = deps.started?.({ event: hook.event, hook: hook.place, toolUseId });
      const run = runHook(hook, input(), toolUseId, signal, deps.clock);
      return runId === undefined ? run : run.then((end) => ({ ...end, runId }));
    }),
  );
}

async function conditional(hooks: readonly CompiledHook[], call: HookCall): Promise<readonly CompiledHook[]> {
  const due: CompiledHook[] = [];
  for (const hook of hooks) {
    const holds = hook.condition === undefined ? "whole" : await holdsOf(hook.condition, call);
    if (holds !== "no") due.push(holds === "part" ? { ...hook, isPartial: true } : hook);
  }
  return due;
}

/** What could not be found out may be a call that the hook is there for. */
async function holdsOf(rule: string, call: HookCall): Promise<Holds> {
  try {
    return await call.holds(rule);
  } catch {
    return "part";
  }
}

/** Schemas may make values that are no JSON (dates); these are shared, the rest is copied. */
function ownCopy(input: JsonObject): JsonObject {
  const copied = copyJson(input);
  return copied.ok ? (copied.value as JsonObject) : { ...input };
}
