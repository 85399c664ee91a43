import { nodePlatform } from "../platform/index.ts";
import { createServer, type SdkMcpServer, type SdkMcpServerOptions } from "../tools/index.ts";

/**
 * Bundles tools into a server that lives in this process. It is plain data: the same server may be put into
 * `mcpServers` of any number of queries at once, and nothing has to be closed.
 *
 * The model sees the tools as `mcp__{key in mcpServers}__{tool}`, with `prefix: false` under their bare names.
 *
 * @throws CastellanError `invalid_option`, `invalid_tool` or `duplicate_tool` that names the field or item, and the fix.
 *
 * @example
 * ```ts
 * import { createSdkMcpServer, query, tool } from "@castellan/sdk";
 *
 * const lookUp = tool("look_up", "Finds an order by its number.", { id: "string" }, async ({ id }) => ({
 *   content: [{ type: "text", text: `Order ${id} was sent yesterday.` }],
 * }), { riskLevel: "low" });
 *
 * const shop = createSdkMcpServer({ name: "shop", tools: [lookUp] });
 * const session = query({ prompt: "Where is order 7?", options: { mcpServers: { shop } } });
 * for await (const message of session) if (message.type === "result") console.log(message.result);
 * ```
 */
export function createSdkMcpServer(options: SdkMcpServerOptions): SdkMcpServer {
  return createServer(options, async (instance, transport) => {
    const { serveInstance } = await import("../mcp/index.ts");
    await serveInstance(instance, transport, nodePlatform());
  });
}
