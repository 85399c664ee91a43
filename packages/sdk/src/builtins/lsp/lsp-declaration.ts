import { type Declaration, inputOf, pathOf } from "../declaration.ts";
import { pathProblem } from "../files/file-tool-words.ts";

/** LSP: asks a language server about a file, or about the whole workspace. Its answers leave out what may not be read. */
export const LSP: Declaration = {
  name: "LSP",
  source: "builtin",
  title: "Ask a language server",
  searchHint: "definition references hover symbols diagnostics code",
  description: "Asks a language server about code.",
  inputSchema: inputOf(
    {
      operation: {
        type: "string",
        enum: ["definition", "references", "hover", "symbols", "diagnostics"],
        description: "What to ask.",
      },
      file_path: pathOf("The file. Left out: the whole workspace."),
      line: { type: "integer", minimum: 1, description: "The line, from 1." },
      character: { type: "integer", minimum: 1, description: "The character in it, from 1." },
    },
    ["operation"],
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  validateInput: (input) => pathProblem(input.file_path),
  targets: ({ file_path: path }) =>
    typeof path === "string"
      ? [{ kind: "path", access: "read", path }]
      : [{ kind: "path", access: "walk", path: ".", filtered: true }],
  riskLevel: "low",
  summary: (input) => `${input.operation} ${input.file_path ?? ""}`.trim(),
};
