import type { Target, ToolDefinition } from "../../protocol/index.ts";
import { definitionOf } from "../brand.ts";
import { isUndeclared } from "../undeclared.ts";
import { mcpToolNames } from "./names.ts";
import type { SdkMcpServerInstance } from "./types.ts";

/** Definitions by instance and key. Both sides are frozen: who mounts a server again gets the same ones. */
const mounts = new WeakMap<SdkMcpServerInstance, Map<string, readonly ToolDefinition[]>>();
const MOST_KEYS = 32;

/**
 * The tools of a server under the names that a model sees. Nothing of the server changes: the same server and key
 * give the same definitions, and equal servers equal ones.
 */
export function mountServer(server: SdkMcpServerInstance, key: string): readonly ToolDefinition[] {
  const keys = mounts.get(server) ?? new Map<string, readonly ToolDefinition[]>();
  const known = keys.get(key);
  if (known !== undefined) return known;
  const mounted = Object.freeze(mountAll(server, key));
  if (keys.size >= MOST_KEYS) keys.clear();
  mounts.set(server, keys.set(key, mounted));
  return mounted;
}

function mountAll(server: SdkMcpServerInstance, key: string): ToolDefinition[] {
  const definitions = server.tools.flatMap((tool) => definitionOf(tool) ?? []);
  const own = definitions.flatMap(({ name, aliases }) => [name, ...aliases]);
  const names = server.prefix ? mcpToolNames(key, own) : undefined;
  return definitions.map((definition) => mountTool(definition, key, names, server));
}

function mountTool(
  definition: ToolDefinition,
  key: string,
  names: ReadonlyMap<string, string> | undefined,
  server: SdkMcpServerInstance,
): ToolDefinition {
  const nameOf = (name: string): string => names?.get(name) ?? name;
  const { name: toolName, isDestructive, isOpenWorld, isReadOnly, targets } = definition;
  const target: readonly Target[] = [{ kind: "mcp", server: key, tool: toolName }];
  const timeoutMs = definition.timeoutMs ?? server.timeoutMs;
  return Object.freeze({
    ...definition,
    name: nameOf(toolName),
    aliases: definition.aliases.map(nameOf),
    source: "mcp",
    mcpInfo: { serverName: key, toolName },
    targets: isUndeclared(targets) ? () => target : targets,
    // What MCP says of a tool that gives no hints.
    isDestructive: isUndeclared(isDestructive) ? (input) => !isReadOnly(input) : isDestructive,
    isOpenWorld: isUndeclared(isOpenWorld) ? () => true : isOpenWorld,
    alwaysLoad: server.alwaysLoad ?? definition.alwaysLoad,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  } satisfies ToolDefinition);
}
