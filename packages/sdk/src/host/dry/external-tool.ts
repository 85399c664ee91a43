import type { ToolDefinition } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";

/**
 * A tool of a server that is not connected: it counts as existing and of high risk. Undefined for a name that no
 * tool of a server can have.
 *
 * @param servers keys of servers that are configured: where a name may be split in several ways, the longest key
 * that is among them is taken, else the shortest server.
 */
export function externalTool(name: string, servers: Iterable<string> = []): ToolDefinition | undefined {
  const split = splitsOf(name, new Set(servers));
  if (split === undefined) return undefined;
  const { server, tool } = split;
  return buildTool({
    name,
    description: `The tool ${tool} of the server ${server}.`,
    inputSchema: { type: "object", additionalProperties: true, properties: {} },
    source: "mcp",
    mcpInfo: { serverName: server, toolName: tool },
    isDestructive: () => false,
    isOpenWorld: () => true,
    targets: () => [{ kind: "mcp", server, tool }],
    call: () => ({ content: [] }),
  });
}

function splitsOf(
  name: string,
  servers: ReadonlySet<string>,
): { readonly server: string; readonly tool: string } | undefined {
  const rest = /^mcp__(.+)$/s.exec(name)?.[1];
  if (rest === undefined) return undefined;
  const splits: { server: string; tool: string }[] = [];
  for (let at = rest.indexOf("__", 1); at !== -1; at = rest.indexOf("__", at + 1)) {
    const [server, tool] = [rest.slice(0, at), rest.slice(at + 2)];
    if (tool !== "") splits.push({ server, tool });
  }
  return splits.findLast(({ server }) => servers.has(server)) ?? splits[0];
}
