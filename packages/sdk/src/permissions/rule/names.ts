import { TOOL_NAME_ALIASES } from "../../protocol/index.ts";

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(TOOL_NAME_ALIASES));

const FOLDED_ALIASES: ReadonlyMap<string, string> = new Map(
  [...ALIASES].map(([alias, name]) => [alias.toLowerCase(), name.toLowerCase()]),
);

/** Names whose rules have a grammar of their own: `Name(specifier)` -> which grammar. */
const FAMILIES: ReadonlyMap<string, RuleFamily> = new Map<string, RuleFamily>([
  ["bash", "bash"],
  ["read", "read"],
  ["glob", "read"],
  ["grep", "read"],
  ["ls", "read"],
  ["edit", "edit"],
  ["write", "edit"],
  ["multiedit", "edit"],
  ["notebookedit", "edit"],
  ["webfetch", "domain"],
  ["agent", "agent"],
]);

/** Which targets a rule with a specifier is compared with. `name` covers skills and custom tools. */
type RuleFamily = "bash" | "read" | "edit" | "domain" | "agent" | "mcp" | "any" | "name";

/** Built-in names as they are spelled, to tell a slip of case from a stranger's tool. */
export const WELL_KNOWN_TOOLS: readonly string[] = [
  ...["Agent", "AskUserQuestion", "Bash", "BashOutput", "Config", "Edit", "EnterPlanMode", "ExitPlanMode"],
  ...["EnterWorktree", "ExitWorktree", "Glob", "Grep", "KillShell", "LS", "LSP", "ListAgents", "ListPeers"],
  ...["ListMcpResources", "ReadMcpResource", "Monitor", "MultiEdit", "NotebookEdit", "PowerShell", "REPL"],
  ...["PushNotification", "Read", "Recall", "Sampling", "SendMessage", "SendUserFile", "SendUserMessage"],
  ...["Skill", "Sleep", "StructuredOutput", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TeamCreate"],
  ...["TeamDelete", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Workflow", "Write", "CronCreate"],
  ...["CronDelete", "CronList", "Brief", "ScheduleWakeup"],
];

const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [...WELL_KNOWN_TOOLS, ...ALIASES.keys()].map((name) => [name.toLowerCase(), name]),
);

/** The tool that a name means, exactly as written: what an allow rule goes by. */
export function canonicalName(name: string): string {
  return ALIASES.get(name) ?? name;
}

/** The same without case and blanks: what deny and ask rules go by. */
export function foldedName(name: string): string {
  const known = foldedNames.get(name);
  if (known !== undefined) return known;
  const plain = name.replace(/\s+/gu, "").toLowerCase();
  const folded = FOLDED_ALIASES.get(plain) ?? plain;
  if (foldedNames.size >= MOST_NAMES) foldedNames.clear();
  foldedNames.set(name, folded);
  return folded;
}

/** The same few names are asked for at every call. */
const foldedNames = new Map<string, string>();
const MOST_NAMES = 512;

export function familyOf(name: string): RuleFamily {
  const folded = foldedName(name);
  if (folded === "*") return "any";
  if (folded.startsWith("mcp__")) return "mcp";
  return FAMILIES.get(folded) ?? "name";
}

/** How the well-known tool that `name` folds to is spelled, or undefined for a name of no built-in. */
export function wellKnownSpelling(name: string): string | undefined {
  return SPELLINGS.get(name.replace(/\s+/gu, "").toLowerCase());
}
