import type { ToolFacts } from "../permissions/index.ts";
import type { JsonObject, RiskLevel, ToolDefinition } from "../protocol/index.ts";

/**
 * What a decision may know of a tool, for this very input. A function of the tool that throws or
 * gives nonsense counts as its most dangerous answer.
 */
export function toolFacts(tool: ToolDefinition, input: JsonObject): ToolFacts {
  const { mcpInfo, permissionPolicy } = tool;
  return {
    name: tool.name,
    aliases: tool.aliases,
    source: tool.source,
    ...(mcpInfo === undefined ? {} : { mcp: { server: mcpInfo.serverName, tool: mcpInfo.toolName } }),
    readOnly: flag(() => tool.isReadOnly(input), false),
    destructive: flag(() => tool.isDestructive(input), true),
    openWorld: flag(() => tool.isOpenWorld(input), true),
    requiresUser: flag(() => tool.requiresUserInteraction(), true),
    hasCheck: tool.hasCheck,
    riskLevel: risk(tool, input),
    ...(permissionPolicy === undefined ? {} : { permissionPolicy }),
    allowedInPlan: tool.allowedInPlan === true,
    allowedByItself: tool.allowedByItself === true,
  };
}

function flag(ask: () => unknown, dangerous: boolean): boolean {
  try {
    const answer = ask();
    return typeof answer === "boolean" ? answer : dangerous;
  } catch {
    return dangerous;
  }
}

function risk(tool: ToolDefinition, input: JsonObject): RiskLevel {
  try {
    const level = tool.riskLevel(input);
    return level === "low" || level === "medium" ? level : "high";
  } catch {
    return "high";
  }
}
