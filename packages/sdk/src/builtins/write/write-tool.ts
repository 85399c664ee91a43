import type { ToolDefinition } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import type { BuiltinDeps } from "../deps.ts";
import { fileToolWords, pathProblem } from "../files/file-tool-words.ts";
import { WRITE_PROMPT } from "./prompt.ts";
import { writeFile } from "./write-file.ts";

const SCHEMA = {
  type: "object",
  properties: {
    file_path: { type: "string", minLength: 1, description: "The file to write." },
    content: { type: "string", description: "All that the file shall hold." },
  },
  required: ["file_path", "content"],
  additionalProperties: false,
} as const;

/** Write: creates a file, or replaces one that was read before. */
export function writeTool({ platform }: BuiltinDeps): ToolDefinition {
  return buildTool({
    name: "Write",
    source: "builtin",
    title: "Write a file",
    searchHint: "create write new file overwrite save",
    description: "Writes a whole file.",
    prompt: () => WRITE_PROMPT,
    inputSchema: SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    validateInput: (input) => pathProblem(input.file_path),
    targets: (input) => [{ kind: "path", access: "write", path: String(input.file_path) }],
    riskLevel: () => "medium",
    ...fileToolWords("Write", "Writing"),
    call: (input, context) => writeFile(platform, input, context),
  });
}
