import { type Declaration, inputOf, pathOf } from "../declaration.ts";
import { pathProblem } from "../files/file-tool-words.ts";

/** MultiEdit: several edits of one file, all or none. */
export const MULTI_EDIT: Declaration = {
  name: "MultiEdit",
  source: "builtin",
  title: "Edit a file in several places",
  searchHint: "edit change replace several places file",
  description: "Makes several edits in one file, all or none.",
  inputSchema: inputOf(
    {
      file_path: pathOf("The file to change."),
      edits: {
        type: "array",
        minItems: 1,
        maxItems: 200,
        description: "The edits, in order.",
        items: inputOf(
          {
            old_string: { type: "string", description: "The exact text to replace." },
            new_string: { type: "string", description: "The text that takes its place." },
            replace_all: { type: "boolean", description: "Change every place. Default false." },
          },
          ["old_string", "new_string"],
        ),
      },
    },
    ["file_path", "edits"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  validateInput: (input) => pathProblem(input.file_path),
  targets: (input) => [{ kind: "path", access: "write", path: String(input.file_path) }],
  riskLevel: "medium",
  summary: (input) => String(input.file_path),
};
