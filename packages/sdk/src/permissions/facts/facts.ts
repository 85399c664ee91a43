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
  readonly made: { coverage?: Coverage; offers?: readonly PermissionUpdate[] };
}

/** Tools that run shell text although they may come without a command target. */
const SHELL_TOOLS: ReadonlySet<string> = new Set(["bash", "powershell", "repl"]);

export function gatherFacts(call: DecideCall, policy: CompiledPolicy, now: number): Facts {
  const lines: ShellAnalysis[] = [];
  const paths: ResolvedPathTarget[] = [];
  const hosts: HostTarget[] = [];
  const mcp: McpTarget[] = [];
  const agents: string[] = [];
  const names: string[] = [];
  for (const target of call.targets) {
    if (target.kind === "path") paths.push(target);
    else if (target.kind === "command") {
      if (!lines.includes(target.analysis)) lines.push(target.analysis);
    } else if (target.kind === "host") hosts.push(target);
    else if (target.kind === "mcp") mcp.push(target);
    else if (target.kind === "agent") agents.push(target.type);
    else names.push(target.value);
  }
  const { context } = policy;
  const { tool } = call;
  // A server chooses its tools' names: its aliases must not borrow the rules of other tools.
  const all = tool.aliases.length === 0 ? [tool.name] : [tool.name, ...tool.aliases];
  const own = tool.source === "mcp" ? [tool.name] : all;
  return {
    call,
    policy,
    context,
    mode: modeTable(context.mode),
    now,
    exactNames: own.map(canonicalName),
    foldedNames: all.map(foldedName),
    mcpNames: allMcpNames(call, mcp),
    lines,
    paths,
    hosts,
    mcp,
    agents,
    names,
    made: {},
  };
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
