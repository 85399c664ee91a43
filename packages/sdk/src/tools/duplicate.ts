import { CastellanError, type ToolDefinition } from "../protocol/index.ts";

/** Two tools under one name. */
export function duplicate(name: string, a: ToolDefinition, b: ToolDefinition): CastellanError {
  return new CastellanError("duplicate_tool", `Two tools answer to "${name}": ${side(a)} and ${side(b)}.`, {
    subject: name,
    fix: "Rename one of them, or leave it out.",
  });
}

function side(tool: ToolDefinition): string {
  if (tool.mcpInfo !== undefined)
    return `tool "${tool.mcpInfo.toolName}" of the MCP server "${tool.mcpInfo.serverName}"`;
  return tool.source === "builtin"
    ? `the built-in tool "${tool.name}"`
    : `the ${tool.source} tool "${tool.name}"`;
}
