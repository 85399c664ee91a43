import type { ToolFacts } from "../permissions/index.ts";
import type { JsonObject, RiskLevel, ToolDefinition } from "../protocol/index.ts";

/**
 * What a decision may know of a tool, for this very input. A function of the tool that throws or
 * gives nonsense counts as its most dangerous answer.
 */
export function toolFacts(tool: ToolDefinition, input: JsonObject): ToolFacts {
  const { mcpInfo, permissionPolicy } = tool;
  const matches = matcherOf(tool, input);
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
    ...(matches === undefined ? {} : { matchesSpecifier: matches }),
  };
}

/** A matcher that cannot be made is one that throws: deny and ask rules then bind, allow rules do not. */
function matcherOf(tool: ToolDefinition, input: JsonObject): ToolFacts["matchesSpecifier"] {
  if (tool.preparePermissionMatcher === undefined) return undefined;
  try {
    const matcher: unknown = tool.preparePermissionMatcher(input);
    if (typeof matcher === "function") return matcher as (specifier: string) => boolean;
  } catch {
    // As below.
  }
  return () => {
    throw new TypeError("preparePermissionMatcher gave no function");
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
