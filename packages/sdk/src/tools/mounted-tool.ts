import type { ToolDefinition } from "../protocol/index.ts";
import { aliasesOf } from "./names.ts";

/** What must be known of a tool to tell whether it is seen. A built-in need not be made for that. */
export type MountedTool = Pick<ToolDefinition, "name" | "aliases" | "source" | "mcpInfo" | "isEnabled">;

/** One built-in tool as it is known before it is made. */
export function mountedBuiltin(name: string): MountedTool {
  return { name, aliases: aliasesOf(name), source: "builtin", isEnabled: () => true };
}
