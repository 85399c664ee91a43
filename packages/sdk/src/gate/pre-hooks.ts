import type { HookCall } from "../hooks/index.ts";
import { runPreToolUse, tellEffect } from "../hooks/index.ts";
import { conditionHolds } from "../permissions/index.ts";
import type { JsonObject, ToolDefinition } from "../protocol/index.ts";
import { hookCall, hookRunDeps } from "./hook-call.ts";
import { checkContext } from "./judge.ts";
import { type Gathered, gatherTargets } from "./targets.ts";
import { toolFacts } from "./tool-facts.ts";
import type { GateCall, GateDeps, GateScope, Prepared } from "./types.ts";
import { validateUnanswered } from "./validate.ts";
import { throwIfAborted } from "./waiting.ts";

export type Hooked =
  | { readonly kind: "ready"; readonly prepared: Prepared }
  | { readonly kind: "stopped"; readonly prepared: Prepared; readonly reason: string }
  | { readonly kind: "invalid"; readonly text: string; readonly contexts: readonly string[] };

/**
 * Runs the PreToolUse hooks, each once a call. A rewrite is validated like an input of the model;
 * what hooks think of the call stays a fact for `decide()`.
 *
 * @throws Cancelled
 */
export async function runPreHooks(
  call: GateCall,
  tool: ToolDefinition,
  input: JsonObject,
  deps: GateDeps,
  scope: GateScope,
): Promise<Hooked> {
  const plain: Prepared = { call, tool, input, hookContexts: [] };
  if (!deps.hooks.has("PreToolUse")) return { kind: "ready", prepared: plain };
  const told: HookCall = {
    ...hookCall(tool, input, call.id, deps, scope),
    holds: holdsBefore(tool, input, deps, scope),
  };
  const effect = await runPreToolUse(deps.hooks, told, scope.signal, hookRunDeps(deps));
  tellEffect(effect, deps);
  throwIfAborted(scope.signal);

  const { behavior, reason, contexts, stop } = effect;
  const prepared: Prepared = {
    ...plain,
    ...(behavior === undefined ? {} : { hooks: { behavior, ...(reason === undefined ? {} : { reason }) } }),
    hookContexts: contexts,
  };
  if (stop !== undefined) return { kind: "stopped", prepared, reason: stop.reason };
  if (effect.updatedInput === undefined) return { kind: "ready", prepared };
  const validated = await validateUnanswered(tool, effect.updatedInput, checkContext(deps, scope));
  if (!validated.ok) {
    return { kind: "invalid", text: `A PreToolUse hook changed the input. ${validated.text}`, contexts };
  }
  return { kind: "ready", prepared: { ...prepared, input: validated.input } };
}

/**
 * Nothing has been looked up yet: what the call touches is gathered here, once for all conditions, and anew when it
 * is judged.
 */
function holdsBefore(
  tool: ToolDefinition,
  input: JsonObject,
  deps: GateDeps,
  scope: GateScope,
): HookCall["holds"] {
  let gathering: Promise<Gathered> | undefined;
  return async (rule) => {
    gathering ??= gatherTargets(tool, input, checkContext(deps, scope), deps.workspace);
    const gathered = await gathering;
    if (!gathered.ok) return "part";
    const { context } = deps.policy.current();
    return conditionHolds(rule, { tool: toolFacts(tool, input), targets: gathered.targets }, context);
  };
}
