import type { McpServerLike, McpTransport } from "../../protocol/index.ts";
import type { AnyTool } from "../types.ts";

/** What `createSdkMcpServer` takes. */
export interface SdkMcpServerOptions {
  /** What the server calls itself. In the array form of `mcpServers` it is the key too. */
  readonly name: string;
  /** Default `1.0.0`. */
  readonly version?: string | undefined;
  /** How its tools are to be used: a block of the system prompt, as long as one of them is visible. */
  readonly instructions?: string | undefined;
  /** What `tool()` or `buildTool()` made; no two of one name. */
  readonly tools?: readonly AnyTool[] | undefined;
  /** All its tools are in every request from the start, never left out to save room. Default: as each tool says. */
  readonly alwaysLoad?: boolean | undefined;
  /** Milliseconds a call may take, for tools that do not say so themselves. Default: none. */
  readonly timeout?: number | undefined;
  /** `false`: the model sees the bare names of the tools, without `mcp__{key}__`. Default true. */
  readonly prefix?: boolean | undefined;
}

/** The server itself: data, and a way to serve it to somebody else. */
export interface SdkMcpServerInstance {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly AnyTool[];
  readonly alwaysLoad?: boolean;
  readonly timeoutMs?: number;
  readonly prefix: boolean;
  /**
   * Serves the tools over a transport of the Model Context Protocol, to any client and as often as wanted; it
   * ends when the transport is closed. Calls that come over it pass no permission rules of ours: the side that
   * calls decides.
   */
  connect(transport: McpTransport): Promise<void>;
}

/** A server made by `createSdkMcpServer`: put it into `mcpServers` of any number of queries. */
export interface SdkMcpServer {
  readonly type: "sdk";
  readonly name: string;
  readonly instance: SdkMcpServerInstance;
}

/** What may stand in `mcpServers`: our own server, or an `McpServer` of `@modelcontextprotocol/sdk`. */
export type McpServerConfig =
  | SdkMcpServer
  | { readonly type: "sdk"; readonly name: string; readonly instance: McpServerLike };
