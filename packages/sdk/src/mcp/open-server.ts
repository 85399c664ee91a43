import { type Clock, waitFor } from "../platform/index.ts";
import { errorText, type JsonObject, type McpServerLike, type ToolDefinition } from "../protocol/index.ts";
import { mcpToolNames } from "../tools/index.ts";
import type { Connected } from "./handshake.ts";
import { listTools } from "./list-tools.ts";
import { listedTool } from "./listed-tool.ts";
import { shareConnection } from "./shared-connection.ts";

/** A server that a session talks to. */
export interface OpenServer {
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly instructions?: string;
  readonly tools: readonly ToolDefinition[];
  /** Listed tools that could not be taken, each a sentence. */
  readonly warnings: readonly string[];
  /** Whether the server has closed the connection since. */
  isClosed(): boolean;
  /** Lets go of it. Idempotent; never rejects. */
  release(): Promise<void>;
}

export interface OpenParts {
  /** Under which it stands in `mcpServers`. */
  readonly key: string;
  readonly instance: McpServerLike;
  readonly clock: Clock;
  /** Our own version, for the server to know. */
  readonly release: string;
  /** Gives up waiting. */
  readonly signal: AbortSignal;
}

const CONNECT_MS = 30_000;

/**
 * Connects to a server object of another library and lists its tools.
 *
 * Rejects with an Error that says why there is no server, and holds nothing then.
 */
export async function openServer(parts: OpenParts): Promise<OpenServer> {
  const { key, instance } = parts;
  const share = shareConnection(instance, parts.release);
  const release = (): Promise<void> => share.release().catch(() => undefined);
  try {
    const opened = (async () => {
      const connected = await share.connected;
      return { connected, listed: connected.hasTools ? await listTools(connected.client) : [] };
    })();
    const { connected, listed } = await within(opened, parts);
    const { serverInfo, instructions, client } = connected;
    return {
      ...(serverInfo === undefined ? {} : { serverInfo }),
      ...(instructions === undefined ? {} : { instructions }),
      ...toolsOf(listed, key, connected),
      isClosed: () => client.isClosed,
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

function toolsOf(
  listed: readonly JsonObject[],
  key: string,
  { client }: Connected,
): Pick<OpenServer, "tools" | "warnings"> {
  const tools = new Map<string, ToolDefinition>();
  const warnings: string[] = [];
  const named = listed.filter(({ name }) => typeof name === "string" && name !== "");
  if (named.length < listed.length)
    warnings.push(`The server ${key} lists a tool without a name; it is left out.`);
  const names = mcpToolNames(
    key,
    named.map(({ name }) => String(name)),
  );
  for (const tool of named) {
    const toolName = String(tool.name);
    const name = names.get(toolName) ?? toolName;
    if (tools.has(name)) {
      warnings.push(`The server ${key} lists two tools called ${toolName}; the first one counts.`);
      continue;
    }
    try {
      tools.set(name, listedTool(tool, { key, name, toolName, client }));
    } catch (error) {
      warnings.push(`The tool ${toolName} of the server ${key} is left out. ${errorText(error)}`);
    }
  }
  return { tools: [...tools.values()], warnings };
}

function within<T>(work: Promise<T>, { clock, signal }: OpenParts): Promise<T> {
  return waitFor(work, {
    signal,
    aborted: () => new Error("The session ended before the server had answered."),
    limit: {
      ms: CONNECT_MS,
      clock,
      passed: () => new Error(`The server did not answer within ${CONNECT_MS / 1_000} s.`),
    },
  });
}
