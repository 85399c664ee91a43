import type { JsonObject, ToolDefinition, ValidationResult } from "../../protocol/index.ts";
import { analyse, targetsOfLine } from "../../shell/index.ts";
import { buildTool, cutAt } from "../../tools/index.ts";
import type { BuiltinDeps } from "../deps.ts";
import { MOST_SHOWN } from "./cut-output.ts";
import { isDestructiveLine, isReadOnlyLine, movesShell } from "./line-facts.ts";
import { bashPrompt } from "./prompt.ts";
import { MOST_TIMEOUT_MS, runLine } from "./run-line.ts";

const SCHEMA = {
  type: "object",
  properties: {
    command: { type: "string", description: "The command line to run." },
    timeout: {
      type: "integer",
      minimum: 1,
      maximum: MOST_TIMEOUT_MS,
      description: "Milliseconds until it is ended. Default 120000, at most 600000.",
    },
    description: { type: "string", description: "What it does, in a few words." },
    run_in_background: { type: "boolean", description: "Return at once and let it run. Default false." },
  },
  required: ["command"],
  additionalProperties: false,
} as const;

/** Bash: a command line in a shell of its own. */
export function bashTool({ platform }: BuiltinDeps): ToolDefinition {
  // Where the shell stood when the line was judged: operands were resolved from there.
  const judgedIn = new WeakMap<JsonObject, string>();
  return buildTool({
    name: "Bash",
    source: "builtin",
    title: "Run a command",
    searchHint: "run shell command line terminal",
    description: "Runs a command line in bash.",
    prompt: ({ toolNames }) => bashPrompt(toolNames.has("BashOutput")),
    inputSchema: SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    validateInput,
    targets: (input, context) => {
      const cwd = context.services.shell?.cwd();
      if (cwd !== undefined) judgedIn.set(input, cwd);
      return targetsOfLine(analyse(String(input.command)));
    },
    isReadOnly: (input) => isReadOnlyLine(analyse(String(input.command))),
    isConcurrencySafe: (input) => {
      const analysis = analyse(String(input.command));
      return isReadOnlyLine(analysis) && !movesShell(analysis);
    },
    isDestructive: (input) => isDestructiveLine(analyse(String(input.command))),
    isOpenWorld: (input) => analyse(String(input.command)).hosts.length > 0,
    interruptBehavior: () => "cancel",
    riskLevel: () => "high",
    maxResultSizeChars: MOST_SHOWN,
    userFacingName: () => "Bash",
    describe: (input) => (typeof input.description === "string" ? input.description : firstLine(input)),
    summary: firstLine,
    activity: (input) => `Running ${firstLine(input)}`,
    call: (input, context, onProgress) => runLine(platform, input, context, onProgress, judgedIn.get(input)),
  });
}

function validateInput(input: JsonObject): ValidationResult {
  return String(input.command).includes("\0")
    ? { ok: false, message: "The command holds a zero byte, which no command line can." }
    : { ok: true };
}

function firstLine(input: JsonObject): string {
  const command = String(input.command).trim();
  const line = command.split("\n", 1)[0] ?? "";
  return line.length < command.length || line.length > 100 ? `${cutAt(line, 100)} …` : line;
}
