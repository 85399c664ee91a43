import type { HookCall, HookSubject } from "../hooks/index.ts";
import { runPreToolUse } from "../hooks/index.ts";
import type { JsonObject, ToolDefinition } from "../protocol/index.ts";
import { TOOL_NAME_ALIASES } from "../tools/index.ts";
import { checkContext } from "./judge.ts";
import type { GateCall, GateDeps, GateScope, Prepared } from "./types.ts";
import { validate } from "./validate.ts";
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
    subject: subjectOf(tool),
    input,
    toolUseId: call.id,
    base: () => ({
      ...deps.hookInput(),
      ...(scope.agentId === undefined ? {} : { agent_id: scope.agentId }),
    }),
  };
  const effect = await runPreToolUse(deps.hooks, told, scope.signal, deps.platform);
  for (const run of effect.runs) deps.recorder.record("hook.ran", run);
  throwIfAborted(scope.signal);
  for (const warning of effect.warnings) deps.notify("warning", warning);
  for (const message of effect.systemMessages) deps.notify("info", message);

  const { behavior, reason, contexts, stop } = effect;
  const prepared: Prepared = {
    ...plain,
    ...(behavior === undefined ? {} : { hooks: { behavior, ...(reason === undefined ? {} : { reason }) } }),
    hookContexts: contexts,
  };
  if (stop !== undefined) return { kind: "stopped", prepared, reason: stop.reason };
  if (effect.updatedInput === undefined) return { kind: "ready", prepared };
  const validated = await validate(tool, effect.updatedInput, checkContext(deps, scope));
  if (!validated.ok) {
    return { kind: "invalid", text: `A PreToolUse hook changed the input. ${validated.text}`, contexts };
  }
  return { kind: "ready", prepared: { ...prepared, input: validated.input } };
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
