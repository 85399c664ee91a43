import type { HookCall, HookRunDeps, HookSubject } from "../hooks/index.ts";
import { runPreToolUse, tellEffect } from "../hooks/index.ts";
import { conditionHolds, type Holds } from "../permissions/index.ts";
import type { JsonObject, ToolDefinition } from "../protocol/index.ts";
import { TOOL_NAME_ALIASES } from "../tools/index.ts";
import { checkContext } from "./judge.ts";
import { gatherTargets } from "./targets.ts";
import { toolFacts } from "./tool-facts.ts";
import type { GateCall, GateDeps, GateScope, Judged, Prepared } from "./types.ts";
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
    holds: (rule) => holdsBefore(rule, tool, input, deps, scope),
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

/** A call as hooks in the gate are told of it. */
export function hookCall(
  tool: ToolDefinition,
  input: JsonObject,
  toolUseId: string,
  deps: GateDeps,
  scope: GateScope,
): Omit<HookCall, "holds"> {
  return {
    subject: subjectOf(tool),
    input,
    toolUseId,
    base: () => ({
      ...deps.hookInput(),
      ...(scope.agentId === undefined ? {} : { agent_id: scope.agentId }),
    }),
  };
}

export function hookRunDeps({ platform, hookStarted }: GateDeps): HookRunDeps {
  return { clock: platform.clock, started: hookStarted };
}

/** Nothing has been looked up yet: what the call touches is gathered here, and once more when it is judged. */
async function holdsBefore(
  rule: string,
  tool: ToolDefinition,
  input: JsonObject,
  deps: GateDeps,
  scope: GateScope,
): Promise<Holds> {
  const gathered = await gatherTargets(tool, input, checkContext(deps, scope), deps.workspace);
  if (!gathered.ok) return "part";
  const { context } = deps.policy.current();
  return conditionHolds(rule, { tool: toolFacts(tool, input), targets: gathered.targets }, context);
}

/** How much of a judged call falls under a rule. */
export function holdsOf({
  facts,
  targets,
  context,
}: Pick<Judged, "facts" | "targets" | "context">): (rule: string) => Holds {
  return (rule) => conditionHolds(rule, { tool: facts, targets }, context);
}

/** A tool as hook matchers see it. */
export function subjectOf(tool: ToolDefinition): HookSubject {
  const server = tool.mcpInfo?.serverName;
  return {
    name: tool.name,
    get aliases() {
      const known = Object.entries(TOOL_NAME_ALIASES).flatMap(([alias, name]) =>
        name === tool.name ? [alias] : [],
      );
      return [...tool.aliases, ...known];
    },
    ...(server === undefined ? {} : { server }),
  };
}
