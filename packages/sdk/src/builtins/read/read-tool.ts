import type { ToolDefinition } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import type { BuiltinDeps } from "../deps.ts";
import { fileToolWords, pathProblem } from "../files/file-tool-words.ts";
import { READ_PROMPT } from "./prompt.ts";
import { readFile } from "./read-file.ts";
import { MOST_CHARACTERS } from "./render-text.ts";

const SCHEMA = {
  type: "object",
  properties: {
    file_path: { type: "string", minLength: 1, description: "The file to read." },
    offset: { type: "integer", minimum: 0, description: "The first line to show, from 1." },
    limit: { type: "integer", minimum: 1, description: "How many lines to show at most." },
  },
  required: ["file_path"],
  additionalProperties: false,
} as const;

/** Read: one file, as numbered lines, an image or the cells of a notebook. */
export function readTool({ platform }: BuiltinDeps): ToolDefinition {
  return buildTool({
    name: "Read",
    source: "builtin",
    title: "Read a file",
    searchHint: "read show open view file content image notebook",
    description: "Reads a file with line numbers.",
    prompt: () => READ_PROMPT,
    inputSchema: SCHEMA,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    validateInput: (input) => pathProblem(input.file_path),
    targets: (input) => [{ kind: "path", access: "read", path: String(input.file_path) }],
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    interruptBehavior: () => "cancel",
    idempotent: true,
    riskLevel: () => "low",
    // Read cuts its own result, with words that say how to go on.
    maxResultSizeChars: MOST_CHARACTERS + 20_000,
    ...fileToolWords("Read", "Reading"),
    call: (input, context) => readFile(platform, input, context),
  });
}
