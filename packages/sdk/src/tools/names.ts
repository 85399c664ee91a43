/** The built-in tools of this release, sorted as they stand in a request. */
export const BUILTIN_TOOL_NAMES: readonly string[] = [
  "Bash",
  "Edit",
  "Glob",
  "Grep",
  "LS",
  "Read",
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
  "Skill",
  "StructuredOutput",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  "Write",
]);

/** Other names under which built-in tools are known, in calls and in rules. */
export const TOOL_NAME_ALIASES: { readonly [alias: string]: string } = {
  Brief: "SendUserMessage",
  KillBash: "KillShell",
  ListMcpResourcesTool: "ListMcpResources",
  ListPeers: "ListAgents",
  ReadMcpResourceTool: "ReadMcpResource",
  Task: "Agent",
  TaskOutput: "BashOutput",
  TaskStop: "KillShell",
  ask_user: "AskUserQuestion",
};

/** The other names of one built-in tool. */
export function aliasesOf(name: string): string[] {
  return Object.keys(TOOL_NAME_ALIASES).filter((alias) => TOOL_NAME_ALIASES[alias] === name);
}
