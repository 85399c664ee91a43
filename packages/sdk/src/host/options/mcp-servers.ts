import { CastellanError, mcpSafe } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import type { McpServerConfig } from "../../tools/index.ts";
import {
  BUILTIN_TOOL_NAMES,
  definitionOf,
  isServerInstance,
  isTool,
  mountServer,
} from "../../tools/index.ts";
import { badOption, type Check, type Fault, fault, shown } from "./fault.ts";
import type { Options } from "./types.ts";

/** A server and the key under which it stands. */
export interface ServerEntry {
  readonly key: string;
  readonly server: McpServerConfig;
}

const KINDS =
  'a server in this process: createSdkMcpServer(), or { type: "sdk", name, instance } with an McpServer of @modelcontextprotocol/sdk';

/** The servers of the option, in the order in which they stand there. In a list, the name is the key. */
export function serverEntries(option: Options["mcpServers"]): readonly ServerEntry[] {
  if (option === undefined) return [];
  if (isList(option)) return option.map((server) => ({ key: server.name, server }));
  return Object.entries(option).map(([key, server]) => ({ key, server }));
}

function isList(option: NonNullable<Options["mcpServers"]>): option is readonly McpServerConfig[] {
  return Array.isArray(option);
}

/** `options.mcpServers`: a record or a list of servers in this process, each under a key of its own. */
export const mcpServers: Check = (value) => {
  if (typeof value === "string") return { ...later("", "a path"), got: shown(value) };
  if (!Array.isArray(value) && !isJsonObject(value)) return fault("a record or a list of servers", value);
  if (isServer(value))
    return fault("a record or a list of servers", value, "", "Put the server into a list.");
  const places: [at: string, key: unknown, server: unknown][] = Array.isArray(value)
    ? value.map((server, index) => [`[${index}]`, (server as { name?: unknown } | null)?.name, server])
    : Object.entries(value).map(([key, server]) => [placeOf(key), key, server]);
  const taken = new Map<string, string>();
  for (const [at, key, server] of places) {
    const found = oneServer(server, at);
    if (found !== undefined) return found;
    if (typeof key !== "string" || key.trim() === "")
      return keyFault(at, "is blank", "Give the server a name.");
    const earlier = taken.get(mcpSafe(key));
    if (earlier !== undefined)
      return keyFault(at, `reads like ${JSON.stringify(earlier)}`, "Rename one of the two.");
    taken.set(mcpSafe(key), key);
  }
  return undefined;
};

/** The names of tools of servers, as far as they are known before a session, from a value that may be no good. */
export function serverTools(value: unknown): { readonly names: readonly string[]; readonly isAll: boolean } {
  if (value === undefined || mcpServers(value) !== undefined)
    return { names: [], isAll: value === undefined };
  const entries = serverEntries(value as Options["mcpServers"]);
  const names = entries.flatMap(({ key, server: { instance } }) =>
    isServerInstance(instance) ? mountServer(instance, key).map((tool) => tool.name) : [],
  );
  return { names, isAll: entries.every(({ server }) => isServerInstance(server.instance)) };
}

function placeOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function keyFault(at: string, problem: string, fix: string): Fault {
  return { at, expected: "under a key that no other server has", got: `a server whose key ${problem}`, fix };
}

function isServer(value: unknown): boolean {
  return isJsonObject(value) && value.type === "sdk" && canConnect(value.instance);
}

function canConnect(value: unknown): boolean {
  return typeof (value as { connect?: unknown } | null | undefined)?.connect === "function";
}

function oneServer(value: unknown, at: string): Fault | undefined {
  if (isTool(value))
    return fault(KINDS, value, at, "Put the tool into createSdkMcpServer({ name, tools: [tool] }).");
  if (canConnect(value)) {
    return fault(KINDS, value, at, 'Write { type: "sdk", name: "…", instance: server }.');
  }
  if (!isJsonObject(value)) return fault(KINDS, value, at);
  const { type, command, url, name, instance } = value;
  if (type !== "sdk") {
    const kind =
      typeof type === "string"
        ? type
        : command !== undefined
          ? "stdio"
          : url !== undefined
            ? "http"
            : undefined;
    return kind === undefined ? fault(KINDS, value, at) : later(at, kind);
  }
  if (typeof name !== "string" || name.trim() === "")
    return fault("a text that is not blank", name, `${at}.name`);
  if (canConnect(instance)) return undefined;
  return fault("what createSdkMcpServer() made, or an McpServer with connect()", instance, `${at}.instance`);
}

function later(at: string, kind: string): Fault {
  const fix = "This release takes no others; docs/limitations.md lists what is missing.";
  return { at, expected: KINDS, got: `a server of the kind ${shown(kind)}`, fix };
}

/**
 * Two tools of one name, among the servers, the tools of the options and the built-ins, and names in `tools` that
 * mean a server by what it calls itself.
 *
 * @throws CastellanError `duplicate_tool` or `invalid_option`
 */
export function checkServers(options: Options): void {
  const entries = serverEntries(options.mcpServers);
  if (entries.length === 0) return;
  const taken = new Map<string, string>();
  for (const name of BUILTIN_TOOL_NAMES) taken.set(name, `the built-in tool ${name}`);
  for (const item of listOf(options.tools)) {
    const name = definitionOf(item)?.name;
    if (name !== undefined) taken.set(name, `the tool ${name} of options.tools`);
  }
  for (const { key, server } of entries) {
    if (!isServerInstance(server.instance)) continue;
    for (const { name, mcpInfo } of mountServer(server.instance, key)) {
      const side = `the tool ${mcpInfo?.toolName} of the server ${key}`;
      const other = taken.get(name);
      if (other !== undefined) throw sameName(name, other, side);
      taken.set(name, side);
    }
  }
  checkOwnNames(options, entries);
}

function sameName(name: string, first: string, second: string): CastellanError {
  const message = `options.mcpServers: ${first} and ${second} would both be called "${name}".`;
  const fix = "Rename one of the tools, or give the server another key or its prefix.";
  return new CastellanError("duplicate_tool", message, { subject: name, fix });
}

function checkOwnNames(options: Options, entries: readonly ServerEntry[]): void {
  for (const item of listOf(options.tools)) {
    const rest = typeof item === "string" && item.startsWith("mcp__") ? item.slice(5) : undefined;
    if (rest === undefined || entries.some(({ key }) => isPartOf(rest, key))) continue;
    const meant = entries.find(({ server }) => isPartOf(rest, server.name));
    if (meant === undefined) continue;
    const { key, server } = meant;
    throw badOption(
      "tools",
      `options.tools names "mcp__${rest}", but the server ${server.name} stands under the key ${key}.`,
      `Write "mcp__${mcpSafe(key)}${rest.slice(server.name.length)}".`,
    );
  }
}

function isPartOf(rest: string, server: string): boolean {
  return [server, mcpSafe(server)].some((name) => rest === name || rest.startsWith(`${name}__`));
}

function listOf(tools: Options["tools"]): readonly unknown[] {
  return Array.isArray(tools) ? tools : [];
}
