import type { JsonObject, ToolDefinition, ValidationResult } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import type { BuiltinDeps } from "../deps.ts";
import { fileToolWords, pathProblem } from "../files/file-tool-words.ts";
import { toUnixEndings } from "../files/line-endings.ts";
import { editFile } from "./edit-file.ts";
import { EDIT_PROMPT } from "./prompt.ts";

const SCHEMA = {
  type: "object",
  properties: {
    file_path: { type: "string", minLength: 1, description: "The file to change." },
    old_string: { type: "string", description: "The exact text to replace." },
    new_string: { type: "string", description: "The text that takes its place." },
    replace_all: { type: "boolean", description: "Change every place. Default false." },
  },
  required: ["file_path", "old_string", "new_string"],
  additionalProperties: false,
} as const;

/** Edit: replaces text in a file that was read before. */
export function editTool({ platform }: BuiltinDeps): ToolDefinition {
  return buildTool({
    name: "Edit",
    source: "builtin",
    title: "Edit a file",
    searchHint: "change replace text in file patch",
    description: "Replaces a piece of text in a file.",
    prompt: () => EDIT_PROMPT,
    inputSchema: SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    validateInput,
    targets: (input) => [{ kind: "path", access: "write", path: String(input.file_path) }],
    riskLevel: () => "medium",
    ...fileToolWords("Edit", "Editing"),
    call: (input, context) => editFile(platform, input, context),
  });
}

function validateInput(input: JsonObject): ValidationResult {
  const problem = pathProblem(input.file_path);
  if (!problem.ok) return problem;
  const oldText = String(input.old_string);
  const newText = String(input.new_string);
  if (oldText === newText) {
    return { ok: false, message: "old_string and new_string are the same, so nothing would change." };
  }
  if (toUnixEndings(oldText) === toUnixEndings(newText)) {
    return {
      ok: false,
      message:
        "old_string and new_string differ only in line endings. Edit keeps those of the file; change them with a command in Bash.",
    };
  }
  return { ok: true };
}
