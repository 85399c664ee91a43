import { TOOL_NAME_ALIASES } from "../protocol/index.ts";

export { TOOL_NAME_ALIASES } from "../protocol/index.ts";

/** The built-in tools of this release, sorted as they stand in a request. */
export const BUILTIN_TOOL_NAMES: readonly string[] = [
  "AskUserQuestion",
  "Bash",
  "BashOutput",
  "CronCreate",
  "CronDelete",
  "CronList",
  "Edit",
  "EnterPlanMode",
  "ExitPlanMode",
  "Glob",
  "Grep",
  "KillShell",
  "LS",
  "Read",
  "Recall",
  "ScheduleWakeup",
  "Sleep",
  "StructuredOutput",
  "TodoWrite",
  "Write",
];

/** The built-ins that are visible when the option `tools` is left out, as far as they are mounted. */
export const DEFAULT_TOOL_NAMES: ReadonlySet<string> = new Set([
  "Agent",
  "AskUserQuestion",
  "Bash",
  "BashOutput",
  "Edit",
  "Glob",
  "Grep",
  "KillShell",
  "NotebookEdit",
  "Read",
  "Recall",
  "Skill",
  "StructuredOutput",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  "Write",
]);

/** The other names of one built-in tool. */
export function aliasesOf(name: string): string[] {
  return Object.keys(TOOL_NAME_ALIASES).filter((alias) => TOOL_NAME_ALIASES[alias] === name);
}
