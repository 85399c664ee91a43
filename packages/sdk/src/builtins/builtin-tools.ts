import type { ToolDefinition, ToolServices } from "../protocol/index.ts";
import { bashTool } from "./bash/bash-tool.ts";
import type { BuiltinDeps } from "./deps.ts";
import { editTool } from "./edit/edit-tool.ts";
import { globTool } from "./glob/glob-tool.ts";
import { grepTool } from "./grep/grep-tool.ts";
import { lsTool } from "./ls/ls-tool.ts";
import { readTool } from "./read/read-tool.ts";
import { structuredOutputTool } from "./structured-output/structured-output-tool.ts";
import { todoWriteTool } from "./todo-write/todo-write-tool.ts";
import { writeTool } from "./write/write-tool.ts";

interface Mounting {
  readonly make: (deps: BuiltinDeps) => ToolDefinition;
  readonly needs: readonly (keyof ToolServices)[];
}

const MOUNTINGS: readonly Mounting[] = [
  { make: bashTool, needs: ["spawner", "shell"] },
  { make: editTool, needs: ["files"] },
  { make: globTool, needs: ["mayRead"] },
  { make: grepTool, needs: ["mayRead"] },
  { make: lsTool, needs: ["mayRead"] },
  { make: readTool, needs: ["files"] },
  { make: structuredOutputTool, needs: ["answer"] },
  { make: todoWriteTool, needs: ["todos"] },
  { make: writeTool, needs: ["files"] },
];

/**
 * The built-in tools of a session, by name. One whose service is missing is not among them.
 *
 * @example
 * const tools = builtinTools({ platform: nodePlatform(), services });
 */
export function builtinTools(deps: BuiltinDeps): ToolDefinition[] {
  return MOUNTINGS.filter(({ needs }) => needs.every((name) => deps.services[name] !== undefined)).map(
    ({ make }) => make(deps),
  );
}
