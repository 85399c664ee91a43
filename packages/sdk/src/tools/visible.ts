import { CastellanError, type ToolDefinition } from "../protocol/index.ts";
import { nearestName } from "../schema/index.ts";
import type { CatalogueOptions } from "./catalogue-options.ts";
import { DEFAULT_TOOL_NAMES, TOOL_NAME_ALIASES } from "./names.ts";

/** The tools that the options leave in sight, in no order. @throws CastellanError `invalid_option`. */
export function chooseVisible(
  byName: ReadonlyMap<string, ToolDefinition>,
  { tools, disallowedTools = [] }: CatalogueOptions,
): ToolDefinition[] {
  const all = [...byName.values()];
  const named = tools === undefined ? undefined : readNames(tools, byName);
  const gone = new Set(disallowedTools.map((name) => realName(name, byName)));
  return all.filter((tool) => {
    if (gone.has(tool.name) || !tool.isEnabled()) return false;
    if (named === undefined) return tool.source !== "builtin" || DEFAULT_TOOL_NAMES.has(tool.name);
    if (named.names.has(tool.name)) return true;
    if (tool.mcpInfo === undefined || tools?.length === 0) return false;
    return named.servers.size === 0 && !named.mentionsMcp ? true : named.servers.has(tool.mcpInfo.serverName);
  });
}

interface Named {
  readonly names: ReadonlySet<string>;
  /** Servers that are named whole: `mcp__server` or `mcp__server__*`. */
  readonly servers: ReadonlySet<string>;
  readonly mentionsMcp: boolean;
}

function readNames(tools: readonly string[], byName: ReadonlyMap<string, ToolDefinition>): Named {
  const names = new Set<string>();
  const servers = new Set<string>();
  for (const given of tools) {
    const name = realName(given, byName);
    if (byName.has(name)) names.add(name);
    else if (name.startsWith("mcp__")) servers.add(name.slice(5).replace(/__\*?$/, ""));
    else throw unknownName(given, byName);
  }
  return { names, servers, mentionsMcp: tools.some((name) => name.startsWith("mcp__")) };
}

function realName(name: string, byName: ReadonlyMap<string, ToolDefinition>): string {
  if (byName.has(name)) return name;
  if (Object.hasOwn(TOOL_NAME_ALIASES, name)) return TOOL_NAME_ALIASES[name] ?? name;
  for (const tool of byName.values()) if (tool.aliases.includes(name)) return tool.name;
  return name;
}

function unknownName(name: string, byName: ReadonlyMap<string, ToolDefinition>): CastellanError {
  const near = nearestName(name, byName.keys());
  return new CastellanError("invalid_option", `tools: there is no tool called "${name}".`, {
    subject: "tools",
    fix: near === undefined ? `There are ${[...byName.keys()].sort().join(", ")}.` : `Did you mean ${near}?`,
  });
}
