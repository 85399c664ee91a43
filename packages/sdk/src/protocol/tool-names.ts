/** Other names under which built-in tools are known, in calls and in rules: the name on the right is meant. */
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
