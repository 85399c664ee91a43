import type { HookCall, HookRunDeps, HookSubject } from "../hooks/index.ts";
import { conditionHolds, type Holds } from "../permissions/index.ts";
import type { JsonObject, ToolDefinition } from "../protocol/index.ts";
import { TOOL_NAME_ALIASES } from "../tools/index.ts";
import type { GateDeps, GateScope, Judged } from "./types.ts";

/** A call as hooks are told of it, whoever fires them. */
export function hookCall(
  tool: ToolDefinition,
  input: JsonObject,
  toolUseId: string,
  deps: Pick<GateDeps, "hookInput">,
  scope: Pick<GateScope, "agentId">,
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

/** What running them takes from outside. */
export function hookRunDeps({
  platform,
  hookStarted,
}: Pick<GateDeps, "platform" | "hookStarted">): HookRunDeps {
  return { clock: platform.clock, started: hookStarted };
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
