import type { Platform } from "../platform/index.ts";
import type { JsonObject, McpTransport, ToolDefinition } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";
import { definitionOf, type SdkMcpServerInstance } from "../tools/index.ts";
import { listing } from "./listing.ts";
import {
  type Incoming,
  isSpoken,
  NEWEST_VERSION,
  type RequestId,
  RPC_ERRORS,
  readMessage,
} from "./messages.ts";
import { serveCall } from "./serve-call.ts";
import { type ServedCall, servedCall } from "./served-context.ts";

type Request = Extract<Incoming, { kind: "request" }>;

/** What one client of a served instance has going on. */
interface Connection {
  readonly instance: SdkMcpServerInstance;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly platform: ServePlatform;
  readonly sessionId: string;
  readonly running: Map<RequestId, ServedCall>;
  send(message: object): void;
}

export type ServePlatform = Pick<Platform, "clock" | "cwd">;

/**
 * Serves the tools of an instance over a transport, until it is closed. Each transport is a client of its own.
 * Calls run as they come, beside each other; what is closed or cancelled gets its signal and no answer.
 *
 * Rejects with what `transport.start()` rejects with.
 */
export async function serveInstance(
  instance: SdkMcpServerInstance,
  transport: McpTransport,
  platform: ServePlatform,
): Promise<void> {
  const definitions = instance.tools.flatMap((tool) => definitionOf(tool) ?? []);
  const connection: Connection = {
    instance,
    tools: new Map(definitions.map((tool) => [tool.name, tool])),
    platform,
    sessionId: transport.sessionId ?? `mcp:${instance.name}`,
    running: new Map(),
    // A client that has gone needs no answer; that it has gone is told by onclose.
    send: (message) => void transport.send({ jsonrpc: "2.0", ...message }).catch(() => undefined),
  };
  transport.onmessage = (value: unknown) => take(readMessage(value), connection);
  transport.onclose = () => {
    for (const call of connection.running.values()) call.stop("close");
    connection.running.clear();
  };
  await transport.start();
}

function take(message: Incoming, connection: Connection): void {
  switch (message.kind) {
    case "request":
      answer(message, connection);
      break;
    case "notification":
      if (message.method === "notifications/cancelled") cancel(message.params.requestId, connection);
      break;
    case "malformed":
      if (message.id !== undefined) refuse(message.id, "invalidRequest", "This is no request.", connection);
      break;
    case "result":
    case "error":
      // Nothing is ever asked of the client.
      break;
  }
}

function answer({ id, method, params }: Request, connection: Connection): void {
  const { instance, send } = connection;
  switch (method) {
    case "initialize":
      send({ id, result: greeting(instance, params) });
      break;
    case "ping":
      send({ id, result: {} });
      break;
    case "tools/list":
      send({ id, result: { tools: instance.tools.flatMap((tool) => listing(tool, connection.tools)) } });
      break;
    case "tools/call":
      void call(id, params, connection);
      break;
    default:
      refuse(id, "methodNotFound", `This server has no method ${method.slice(0, 100)}.`, connection);
  }
}

function greeting({ name, version, instructions }: SdkMcpServerInstance, params: JsonObject): JsonObject {
  const asked = params.protocolVersion;
  return {
    protocolVersion: isSpoken(asked) ? asked : NEWEST_VERSION,
    capabilities: { tools: {} },
    serverInfo: { name, version },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

async function call(id: RequestId, params: JsonObject, connection: Connection): Promise<void> {
  const { tools, running, platform, sessionId, send } = connection;
  const { name, arguments: given } = params;
  const found = typeof name === "string" ? tools.get(name) : undefined;
  const tool = found?.isEnabled() === true ? found : undefined;
  if (tool === undefined) {
    const shown = typeof name === "string" ? name.slice(0, 100) : "without a name";
    return refuse(
      id,
      "invalidParams",
      `Unknown tool: ${shown}. There are ${[...tools.keys()].join(", ")}.`,
      connection,
    );
  }
  if (running.has(id)) return refuse(id, "invalidRequest", "A request of this id is running.", connection);
  const token = isJsonObject(params._meta) ? params._meta.progressToken : undefined;
  const hasToken = typeof token === "string" || typeof token === "number";
  const onProgress = hasToken
    ? (fields: JsonObject): void =>
        send({ method: "notifications/progress", params: { progressToken: token, ...fields } })
    : undefined;
  const served = servedCall(String(id), sessionId, platform.cwd(), onProgress);
  running.set(id, served);
  const result = await serveCall(tool, given, served, platform.clock);
  served.close();
  // Cancelled and closed calls are out of the table: nobody waits for them.
  if (running.get(id) !== served) return;
  running.delete(id);
  send({ id, result });
}

function cancel(id: unknown, { running }: Connection): void {
  const call = running.get(id as RequestId);
  running.delete(id as RequestId);
  call?.stop("abort");
}

function refuse(id: RequestId, code: keyof typeof RPC_ERRORS, message: string, { send }: Connection): void {
  send({ id, error: { code: RPC_ERRORS[code], message } });
}
