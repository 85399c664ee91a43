import { type Declaration, inputOf, pathOf, textOf } from "../declaration.ts";
import { pathProblem } from "../files/file-tool-words.ts";

// Both move the session to another directory, so beside what they write only a rule on the tool lets them run.

/** EnterWorktree: makes a git worktree, or enters one, and works there. */
export const ENTER_WORKTREE: Declaration = {
  name: "EnterWorktree",
  source: "builtin",
  title: "Enter a worktree",
  searchHint: "git worktree branch isolate enter",
  description: "Makes or enters a git worktree and goes on there.",
  inputSchema: inputOf({
    name: textOf("The name of a new worktree.", 200),
    path: pathOf("A worktree that exists."),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  validateInput: (input) => pathProblem(input.path),
  targets: ({ path }) => [
    { kind: "name", value: "EnterWorktree" },
    ...(typeof path === "string" ? [{ kind: "path", access: "write", path } as const] : []),
  ],
  summary: (input) => String(input.path ?? input.name ?? "a new worktree"),
};

/** ExitWorktree: leaves the worktree and keeps or removes it. */
export const EXIT_WORKTREE: Declaration = {
  name: "ExitWorktree",
  source: "builtin",
  title: "Leave the worktree",
  searchHint: "git worktree leave keep remove",
  description: "Leaves the worktree, and keeps or removes it.",
  inputSchema: inputOf(
    {
      action: { type: "string", enum: ["keep", "remove"], description: "What becomes of it." },
      discard_changes: {
        type: "boolean",
        description: "Remove it although changes are lost. Default false.",
      },
    },
    ["action"],
  ),
  annotations: { readOnlyHint: false, openWorldHint: false },
  isDestructive: (input) => input.action !== "keep",
  summary: (input) => String(input.action),
};
