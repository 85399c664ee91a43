import type { JsonObject, Target } from "../../protocol/index.ts";
import { analysePowerShell } from "../../shell/index.ts";
import { type Declaration, inputOf, textOf } from "../declaration.ts";

/**
 * PowerShell: asks for everything but known cmdlets that only read, with literal arguments. A rule `PowerShell(…)` is
 * compared with each cmdlet of such a line; of any other line nothing is known, so deny and ask rules bind it.
 */
export const POWER_SHELL: Declaration = {
  name: "PowerShell",
  source: "builtin",
  title: "Run PowerShell",
  searchHint: "run powershell pwsh command line",
  description: "Runs a command line in PowerShell.",
  inputSchema: inputOf(
    {
      command: textOf("The command line to run.", 100_000),
      timeout: {
        type: "integer",
        minimum: 1,
        maximum: 600_000,
        description: "Milliseconds until it is ended. Default 120000.",
      },
      description: textOf("What it does, in a few words.", 500),
      run_in_background: { type: "boolean", description: "Go on without waiting. Default false." },
    },
    ["command"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  targets,
  preparePermissionMatcher,
  isReadOnly: (input) => onlyReads(input),
  isDestructive: (input) => !onlyReads(input),
  isConcurrencySafe: () => false,
  riskLevel: (input) => (onlyReads(input) ? "low" : "high"),
  summary: (input) => String(input.command),
};

function onlyReads(input: JsonObject): boolean {
  return analysePowerShell(String(input.command)).readOnly;
}

function targets(input: JsonObject): Target[] {
  const { commands, paths } = analysePowerShell(String(input.command));
  const names = commands ?? ["PowerShell"];
  return [
    ...names.map((value): Target => ({ kind: "name", value })),
    ...paths.map((path): Target => ({ kind: "path", ...path })),
  ];
}

/**
 * Names are compared as they are written, by the targets. A line that cannot be read, and a cmdlet that the rule names
 * in another letter case, answer no rule: a test that throws lets deny and ask bind, and allow not.
 */
function preparePermissionMatcher(input: JsonObject): (specifier: string) => boolean {
  const { commands } = analysePowerShell(String(input.command));
  return (specifier) => {
    const head = /^[^\s:*]*/.exec(specifier)?.[0] ?? "";
    const sameName = (command: string): boolean =>
      command.toLowerCase().startsWith(head.toLowerCase()) && !command.startsWith(head);
    if (commands === undefined || commands.some(sameName))
      throw new Error("The line cannot be compared with a rule.");
    return false;
  };
}
