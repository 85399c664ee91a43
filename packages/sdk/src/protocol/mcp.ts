/**
 * What carries messages of the Model Context Protocol between two sides. The transports of
 * `@modelcontextprotocol/sdk` have this shape.
 */
export interface McpTransport {
  /** Called once, after the three callbacks are set. */
  start(): Promise<void>;
  /** Sends one JSON-RPC message, as an object. */
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  readonly sessionId?: string | undefined;
}

/** A server that another library made, known by its shape: an `McpServer` of `@modelcontextprotocol/sdk`. */
export interface McpServerLike {
  /** Serves one transport. Most servers serve only one at a time. */
  connect(transport: never): Promise<void>;
}

/** One tool of a server, as `mcpServerStatus()` tells of it. */
export interface McpToolStatus {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string;
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly openWorld: boolean;
  };
}

/** How a server of `mcpServers` fares. */
export interface McpServerStatus {
  /** Its key in `mcpServers`. */
  readonly name: string;
  readonly status: "connected" | "failed" | "needs-auth" | "pending" | "disabled";
  /** What the server calls itself. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** Why it failed. */
  readonly error?: string;
  /** The settings layer that it comes from; absent for servers of the options. */
  readonly scope?: string;
  readonly tools: readonly McpToolStatus[];
}
