import { createHash } from "node:crypto";
import { mcpSafe } from "../../protocol/index.ts";

/** What providers take. */
const MOST_CHARACTERS = 64;

/**
 * The names under which a model sees the tools of one server: `mcp__{key}__{tool}`, each other character replaced
 * by `_`. One over 64 characters is cut and ends in a hash of key and tool. Where two tools become alike, those
 * whose name was changed get the hash too, so that a name never stands for two tools. The same input gives the
 * same names, whatever its order.
 */
export function mcpToolNames(key: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const users = new Map<string, number>();
  for (const tool of new Set(tools)) {
    const name = mcpSafe(fullName(key, tool));
    users.set(name, (users.get(name) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  for (const tool of tools) {
    const name = mcpSafe(fullName(key, tool));
    const isAlone = users.get(name) === 1 || mcpSafe(tool) === tool;
    names.set(tool, isAlone && name.length <= MOST_CHARACTERS ? name : hashed(name, key, tool));
  }
  return names;
}

/** How rules and lists may write a tool of a server, whatever the model sees. */
export function fullName(key: string, tool: string): string {
  return `mcp__${key}__${tool}`;
}

function hashed(name: string, key: string, tool: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([key, tool]))
    .digest("hex")
    .slice(0, 10);
  return `${name.slice(0, MOST_CHARACTERS - hash.length - 1)}_${hash}`;
}
