import type { Platform } from "../../platform/index.ts";
import {
  errorText,
  type McpServerStatus,
  type McpToolStatus,
  type ToolDefinition,
} from "../../protocol/index.ts";
import { isServerInstance, mountServer } from "../../tools/index.ts";
import { type ServerEntry, serverEntries } from "../options/mcp-servers.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import { VERSION } from "../version.ts";

/** The servers of one session. */
export interface SessionServers {
  readonly tools: readonly ToolDefinition[];
  /** Each key with what the server calls itself. */
  readonly named: readonly { readonly key: string; readonly name: string }[];
  status(): readonly McpServerStatus[];
  /** What servers say about the use of their tools: of those of which a tool is among `visible`. */
  instructions(visible: readonly ToolDefinition[]): readonly string[];
}

interface Deps {
  readonly platform: Platform;
  readonly notify: Teller["notify"];
  /** Fires when the session ends. */
  stop(): AbortSignal;
  /** What is done once the session has ended. */
  atEnd(release: () => Promise<void>): void;
}

interface Mounted {
  readonly key: string;
  readonly tools: readonly ToolDefinition[];
  readonly instructions?: string | undefined;
  status(): Omit<McpServerStatus, "name" | "tools">;
}

const NONE: SessionServers = { tools: [], named: [], status: () => [], instructions: () => [] };

/**
 * Makes the tools of `options.mcpServers` ready. Servers of our own are data and need nothing; to an object of another
 * library it connects. One that cannot be reached has no tools, and the session goes on. Never rejects.
 */
export async function sessionServers(option: Options["mcpServers"], deps: Deps): Promise<SessionServers> {
  const entries = serverEntries(option);
  if (entries.length === 0) return NONE;
  const servers = await Promise.all(entries.map((entry) => mount(entry, deps)));
  return {
    tools: servers.flatMap(({ tools }) => tools),
    named: entries.map(({ key, server }) => ({ key, name: server.name })),
    status: () =>
      servers.map(({ key, tools, status }) => ({ name: key, ...status(), tools: tools.map(toolStatus) })),
    instructions(visible) {
      const seen = new Set(visible.map((tool) => tool.mcpInfo?.serverName));
      return servers.flatMap(({ key, instructions }) =>
        instructions === undefined || !seen.has(key)
          ? []
          : [`How to use the tools of ${key}:\n${instructions}`],
      );
    },
  };
}

function mount({ key, server }: ServerEntry, deps: Deps): Mounted | Promise<Mounted> {
  const { instance } = server;
  if (!isServerInstance(instance)) return connect(key, instance, deps);
  const { name, version, instructions } = instance;
  const status = { status: "connected", serverInfo: { name, version } } as const;
  return { key, tools: mountServer(instance, key), instructions, status: () => status };
}

async function connect(
  key: string,
  instance: Exclude<ServerEntry["server"]["instance"], { readonly tools: unknown }>,
  { platform, notify, stop, atEnd }: Deps,
): Promise<Mounted> {
  try {
    const { openServer } = await import("../../mcp/index.ts");
    const { clock } = platform;
    const open = await openServer({ key, instance, clock, release: VERSION, signal: stop() });
    atEnd(open.release);
    for (const warning of open.warnings) notify("warning", warning);
    const { tools, instructions, serverInfo } = open;
    const info = serverInfo === undefined ? {} : { serverInfo };
    return {
      key,
      tools,
      instructions,
      status: () =>
        open.isClosed()
          ? { status: "failed", ...info, error: "The server closed the connection." }
          : { status: "connected", ...info },
    };
  } catch (error) {
    const why = errorText(error);
    notify("error", `The server ${key} has no tools in this session: ${why}`);
    return { key, tools: [], status: () => ({ status: "failed", error: why }) };
  }
}

function toolStatus(tool: ToolDefinition): McpToolStatus {
  const { readOnlyHint, destructiveHint, openWorldHint } = tool.annotations;
  return {
    name: tool.mcpInfo?.toolName ?? tool.name,
    description: tool.description,
    annotations: {
      readOnly: readOnlyHint ?? tool.isReadOnly({}),
      destructive: destructiveHint ?? tool.isDestructive({}),
      openWorld: openWorldHint ?? tool.isOpenWorld({}),
    },
  };
}
