import type {
  PermissionContext,
  PermissionUpdate,
  ResolvedPathTarget,
  ResolvedTarget,
  ShellAnalysis,
} from "../../protocol/index.ts";
import type { DecideCall } from "../call.ts";
import type { Coverage } from "../cover/part.ts";
import { type ModeTable, modeTable } from "../modes.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { foldedMcpNames, foldMcpName } from "../rule/mcp-name.ts";
import { canonicalName, foldedName } from "../rule/names.ts";

type HostTarget = Extract<ResolvedTarget, { kind: "host" }>;
type McpTarget = Extract<ResolvedTarget, { kind: "mcp" }>;

/** Everything that the steps ask about one call, sorted once. */
export interface Facts {
  readonly call: DecideCall;
  readonly policy: CompiledPolicy;
  readonly context: PermissionContext;
  readonly mode: ModeTable;
  readonly now: number;
  /** Names by which allow rules may mean the tool, letter by letter. */
  readonly exactNames: readonly string[];
  /** Names by which deny and ask rules may mean it. */
  readonly foldedNames: readonly string[];
  /** Full `mcp__…` names, folded, of the tool itself and of MCP targets. */
  readonly mcpNames: readonly string[];
  readonly lines: readonly ShellAnalysis[];
  readonly paths: readonly ResolvedPathTarget[];
  readonly hosts: readonly HostTarget[];
  readonly mcp: readonly McpTarget[];
  readonly agents: readonly string[];
  readonly names: readonly string[];
  /** What several steps ask for, once the first has. */
  readonly made: { coverage: Coverage | undefined; offers: readonly PermissionUpdate[] | undefined };
}

/** Tools that run shell text although they may come without a command target. */
const SHELL_TOOLS: ReadonlySet<string> = new Set(["bash", "powershell", "repl"]);

export function gatherFacts(call: DecideCall, policy: CompiledPolicy, now: number): Facts {
  let lines: readonly ShellAnalysis[] = NO_LINES;
  let hosts: readonly HostTarget[] = NO_HOSTS;
  let mcp: readonly McpTarget[] = NO_MCP;
  let agents: readonly string[] = NO_NAMES;
  let names: readonly string[] = NO_NAMES;
  for (const target of call.targets) {
    if (target.kind === "path") continue;
    if (target.kind === "command") {
      if (!lines.includes(target.analysis)) lines = withOne(lines, target.analysis);
    } else if (target.kind === "host") hosts = withOne(hosts, target);
    else if (target.kind === "mcp") mcp = withOne(mcp, target);
    else if (target.kind === "agent") agents = withOne(agents, target.type);
    else names = withOne(names, target.value);
  }
  const { context } = policy;
  const { tool } = call;
  return {
    call,
    policy,
    context,
    mode: modeTable(context.mode),
    now,
    // A server chooses its tools' names: its aliases must not borrow the rules of other tools.
    exactNames: tool.source === "mcp" ? [canonicalName(tool.name)] : namesOf(tool, canonicalName),
    foldedNames: namesOf(tool, foldedName),
    mcpNames: allMcpNames(call, mcp),
    lines,
    paths: pathsOf(call.targets),
    hosts,
    mcp,
    agents,
    names,
    made: { coverage: undefined, offers: undefined },
  };
}

// Not frozen: to go through a list of another kind than the rest makes objects.
const NO_LINES: readonly ShellAnalysis[] = [];
const NO_PATHS: readonly ResolvedPathTarget[] = [];
const NO_HOSTS: readonly HostTarget[] = [];
const NO_MCP: readonly McpTarget[] = [];

/** Most calls have one of a kind, or none: a list is made with its first entry. One that is pushed to has room for 16 more. */
function withOne<T>(list: readonly T[], entry: T): readonly T[] {
  if (list.length === 0) return [entry];
  (list as T[]).push(entry);
  return list;
}

/** Of them there are often several: the list is made at its size. */
function pathsOf(targets: DecideCall["targets"]): readonly ResolvedPathTarget[] {
  let count = 0;
  for (const { kind } of targets) if (kind === "path") count += 1;
  if (count === 0) return NO_PATHS;
  const paths: ResolvedPathTarget[] = new Array(count);
  let at = 0;
  for (const target of targets) {
    if (target.kind !== "path") continue;
    paths[at] = target;
    at += 1;
  }
  return paths;
}

function namesOf({ name, aliases }: DecideCall["tool"], read: (name: string) => string): readonly string[] {
  return aliases.length === 0 ? [read(name)] : [name, ...aliases].map(read);
}

function allMcpNames(call: DecideCall, targets: readonly McpTarget[]): readonly string[] {
  const { name, mcp } = call.tool;
  const named = name.startsWith("mcp__");
  if (mcp === undefined && targets.length === 0 && !named) return NO_NAMES;
  const names = mcp === undefined ? [] : [...foldedMcpNames(mcp.server, mcp.tool)];
  for (const { server, tool } of targets) {
    if (server !== mcp?.server || tool !== mcp.tool) names.push(...foldedMcpNames(server, tool));
  }
  if (named) names.push(foldMcpName(name));
  return names;
}

const NO_NAMES: readonly string[] = [];

/** Shell text that came without an analysis of any line: nothing is known about it. */
export function isUnseenShell(facts: Facts): boolean {
  return facts.lines.length === 0 && facts.foldedNames.some((name) => SHELL_TOOLS.has(name));
}
