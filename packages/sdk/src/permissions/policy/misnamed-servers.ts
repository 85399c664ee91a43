import { mcpSafe } from "../../protocol/index.ts";
import type { CompiledPolicy } from "./compile.ts";
import { type Finding, findingOf } from "./finding.ts";

/** A server by its key and by what it calls itself. Rules go by the key. */
export interface ServerNames {
  readonly key: string;
  readonly name: string;
}

/** Rules that mean a server by the name that it gives itself, where its key is another: they bind nothing. */
export function misnamedServers(policy: CompiledPolicy, servers: readonly ServerNames[]): Finding[] {
  const findings: Finding[] = [];
  if (servers.length === 0) return findings;
  for (const [rule, toolName] of policy.named) {
    if (!toolName.startsWith("mcp__")) continue;
    const rest = toolName.slice("mcp__".length);
    if (servers.some(({ key }) => lengthIn(rest, key) > 0)) continue;
    const meant = servers.find(({ name }) => lengthIn(rest, name) > 0);
    if (meant === undefined) continue;
    const { key, name } = meant;
    const right = `mcp__${mcpSafe(key)}${rest.slice(lengthIn(rest, name))}`;
    const why = `No server stands under ${name}; the one that calls itself so has the key ${key}.`;
    findings.push(findingOf(rule, "misnamed-server", why, { mended: right }));
  }
  return findings;
}

/** How many characters of `rest` are this server's name; 0 where it names another. */
function lengthIn(rest: string, server: string): number {
  const found = [server, mcpSafe(server)].find((name) => rest === name || rest.startsWith(`${name}__`));
  return found?.length ?? 0;
}
