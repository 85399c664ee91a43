import type { JsonObject, ValidationResult } from "../../protocol/index.ts";
import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** BashOutput: what a background command has written. The command itself was decided when it started. */
export const BASH_OUTPUT: Declaration = {
  name: "BashOutput",
  source: "builtin",
  title: "Read a background command",
  searchHint: "output background shell task new lines",
  description: "Gives the new output of a background command.",
  inputSchema: inputOf({
    bash_id: textOf("The command, as its start named it.", 200),
    task_id: textOf("The same under another name.", 200),
    filter: textOf("Only lines that this regular expression finds."),
    block: { type: "boolean", description: "Wait for its end. Default false." },
    timeout: { type: "integer", minimum: 1, maximum: 600_000, description: "Milliseconds to wait at most." },
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  validateInput: (input) => oneId(input, "bash_id", "task_id"),
  targets: () => [],
  riskLevel: "low",
  allowedInPlan: true,
  allowedByItself: true,
  summary: (input) => String(input.bash_id ?? input.task_id),
};

/** KillShell: ends a command that this session started. */
export const KILL_SHELL: Declaration = {
  name: "KillShell",
  source: "builtin",
  title: "Stop a background command",
  searchHint: "kill stop background shell task",
  description: "Ends a background command.",
  inputSchema: inputOf({
    shell_id: textOf("The command, as its start named it.", 200),
    task_id: textOf("The same under another name.", 200),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  validateInput: (input) => oneId(input, "shell_id", "task_id"),
  targets: () => [],
  riskLevel: "low",
  allowedInPlan: true,
  allowedByItself: true,
  idempotent: true,
  summary: (input) => String(input.shell_id ?? input.task_id),
};

/** Providers take no choice between keys in a schema, so it is made here. */
function oneId(input: JsonObject, first: string, second: string): ValidationResult {
  const given = [first, second].filter((key) => input[key] !== undefined);
  if (given.length === 1 || (given.length === 2 && input[first] === input[second])) return { ok: true };
  return { ok: false, message: `Give either ${first} or ${second}.` };
}
