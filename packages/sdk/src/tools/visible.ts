import { CastellanError, mcpSafe } from "../protocol/index.ts";
import { nearestName } from "../schema/index.ts";
import type { CatalogueOptions } from "./catalogue-options.ts";
import { duplicate } from "./duplicate.ts";
import type { MountedTool } from "./mounted-tool.ts";
import { DEFAULT_TOOL_NAMES, TOOL_NAME_ALIASES } from "./names.ts";
import { fullName } from "./servers/names.ts";

type ByName = ReadonlyMap<string, MountedTool>;

/**
 * The names of the tools that the options leave in sight, in the order of a request: built-ins first, each part by
 * code units.
 *
 * @param mounted everything there is, seen or not.
 * @throws CastellanError `duplicate_tool` for two tools of one name; `invalid_option` for a name in `tools` that no
 * tool has.
 */
export function chooseTools(mounted: readonly MountedTool[], options: CatalogueOptions = {}): string[] {
  const byName = new Map<string, MountedTool>();
  for (const tool of mounted) {
    const other = byName.get(tool.name);
    if (other !== undefined) throw duplicate(tool.name, other, tool);
    byName.set(tool.name, tool);
  }
  return inSight(byName, options)
    .sort(inRequestOrder)
    .map((tool) => tool.name);
}

function inSight(byName: ByName, { tools, disallowedTools = [], exact }: CatalogueOptions): MountedTool[] {
  const named = tools === undefined ? undefined : readNames(tools, byName);
  const gone = new Set(disallowedTools.map((name) => realName(name, byName)));
  return [...byName.values()].filter((tool) => {
    if (gone.has(tool.name) || !tool.isEnabled()) return false;
    if (named === undefined) return tool.source !== "builtin" || DEFAULT_TOOL_NAMES.has(tool.name);
    if (named.names.has(tool.name)) return true;
    if (tool.mcpInfo === undefined || tools?.length === 0 || exact === true) return false;
    return named.mcp.length === 0 || named.mcp.some((name) => isNamedBy(name, tool));
  });
}

function inRequestOrder(a: MountedTool, b: MountedTool): number {
  const byPart = Number(a.source !== "builtin") - Number(b.source !== "builtin");
  return byPart !== 0 ? byPart : a.name < b.name ? -1 : 1;
}

interface Named {
  readonly names: ReadonlySet<string>;
  /** What begins with `mcp__`. */
  readonly mcp: readonly string[];
}

function readNames(tools: readonly string[], byName: ByName): Named {
  const names = new Set<string>();
  for (const given of tools) {
    const name = realName(given, byName);
    if (byName.has(name)) names.add(name);
    else if (!name.startsWith("mcp__")) throw unknownName(given, byName);
  }
  return { names, mcp: tools.filter((name) => name.startsWith("mcp__")) };
}

/**
 * Whether a name that begins with `mcp__` means this tool: as the model sees it, in full though the model sees a bare
 * or a shortened name, or by its whole server (`mcp__server`, `mcp__server__*`).
 */
export function isNamedBy(name: string, { name: own, mcpInfo }: MountedTool): boolean {
  if (mcpInfo === undefined) return name === own;
  const { serverName, toolName } = mcpInfo;
  const full = fullName(serverName, toolName);
  const server = `mcp__${serverName}`;
  const given = [name, name.replace(/__\*?$/, "")];
  return [own, full, server].some((meant) => given.includes(meant) || given.includes(mcpSafe(meant)));
}

function realName(name: string, byName: ByName): string {
  if (byName.has(name)) return name;
  if (Object.hasOwn(TOOL_NAME_ALIASES, name)) return TOOL_NAME_ALIASES[name] ?? name;
  for (const tool of byName.values()) if (tool.aliases.includes(name)) return tool.name;
  return name;
}

function unknownName(name: string, byName: ByName): CastellanError {
  const near = nearestName(name, byName.keys());
  return new CastellanError("invalid_option", `tools: there is no tool called "${name}".`, {
    subject: "tools",
    fix: near === undefined ? `There are ${[...byName.keys()].sort().join(", ")}.` : `Did you mean ${near}?`,
  });
}
