import { type Declaration, inputOf, pathOf, textOf } from "../declaration.ts";
import { pathProblem } from "../files/file-tool-words.ts";

/** NotebookEdit: one cell of a notebook. Rules for edits bind it. */
export const NOTEBOOK_EDIT: Declaration = {
  name: "NotebookEdit",
  source: "builtin",
  title: "Edit a notebook",
  searchHint: "edit notebook jupyter cell ipynb",
  description: "Replaces, inserts or deletes a cell of a notebook.",
  inputSchema: inputOf(
    {
      notebook_path: pathOf("The notebook to change."),
      new_source: { type: "string", description: "The new text of the cell." },
      cell_id: textOf("The cell; for an insertion the one in front of it.", 200),
      cell_type: { type: "string", enum: ["code", "markdown"], description: "The kind of cell." },
      edit_mode: {
        type: "string",
        enum: ["replace", "insert", "delete"],
        description: "Default replace.",
      },
    },
    ["notebook_path", "new_source"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  validateInput: (input) => pathProblem(input.notebook_path),
  targets: (input) => [{ kind: "path", access: "write", path: String(input.notebook_path) }],
  riskLevel: "medium",
  summary: (input) => String(input.notebook_path),
};
