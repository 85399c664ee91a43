import { CastellanError } from "../protocol/index.ts";
import type { MountedTool } from "./mounted-tool.ts";

/** Two tools under one name. */
export function duplicate(name: string, a: MountedTool, b: MountedTool): CastellanError {
  return new CastellanError("duplicate_tool", `Two tools answer to "${name}": ${side(a)} and ${side(b)}.`, {
    subject: name,
    fix: "Rename one of them, or leave it out.",
  });
}

function side(tool: MountedTool): string {
  if (tool.mcpInfo !== undefined)
    return `tool "${tool.mcpInfo.toolName}" of the MCP server "${tool.mcpInfo.serverName}"`;
  return tool.source === "builtin"
    ? `the built-in tool "${tool.name}"`
    : `the ${tool.source} tool "${tool.name}"`;
}
