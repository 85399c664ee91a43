import { type Declaration, inputOf, textOf } from "../declaration.ts";

// Rules `mcp__srv` bind both. The server answers, so they are of high risk whatever it says.

/** ListMcpResources. Without `server` the call asks all servers, and must leave out those that a deny or ask rule names. */
export const LIST_MCP_RESOURCES: Declaration = {
  name: "ListMcpResources",
  source: "builtin",
  title: "List resources of servers",
  searchHint: "list mcp server resources",
  description: "Lists what MCP servers have to read.",
  inputSchema: inputOf({ server: textOf("Only of this server.", 200) }),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  targets: ({ server }) =>
    typeof server === "string"
      ? [{ kind: "mcp", server, tool: "ListMcpResources" }]
      : [{ kind: "name", value: "ListMcpResources" }],
  summary: (input) => String(input.server ?? "all servers"),
};

/** ReadMcpResource: one resource of one server. */
export const READ_MCP_RESOURCE: Declaration = {
  name: "ReadMcpResource",
  source: "builtin",
  title: "Read a resource of a server",
  searchHint: "read mcp server resource uri",
  description: "Reads a resource of an MCP server.",
  inputSchema: inputOf({ server: textOf("The server.", 200), uri: textOf("The resource.", 8000) }, [
    "server",
    "uri",
  ]),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  targets: (input) => [{ kind: "mcp", server: String(input.server), tool: "ReadMcpResource" }],
  summary: (input) => `${input.uri} of ${input.server}`,
};
