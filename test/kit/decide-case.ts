import { posix } from "node:path";
import { builtinTools } from "../../packages/sdk/src/builtins/index.ts";
import {
  bareDenied,
  compilePolicy,
  decide,
  normaliseMode,
  parseRuleList,
  type ToolFacts,
} from "../../packages/sdk/src/permissions/index.ts";
import { nodePlatform, type Platform } from "../../packages/sdk/src/platform/index.ts";
import type {
  Decision,
  JsonObject,
  PermissionContext,
  RuleBehavior,
  RuleSource,
  SourcedRule,
  Target,
  ToolServices,
} from "../../packages/sdk/src/protocol/index.ts";
import { createWorkspace, findProjectRoot } from "../../packages/sdk/src/workspace/index.ts";
import { memoryDisk } from "./memory-disk.ts";

/** One line of the corpus. `want` may hold alternatives: `allow|ask`. */
export interface DecisionCase {
  readonly id: string;
  readonly settings?: Readonly<Record<string, { readonly permissions?: Readonly<Record<string, unknown>> }>>;
  readonly options?: {
    readonly allowedTools?: readonly string[];
    readonly disallowedTools?: readonly string[];
    readonly additionalDirectories?: readonly string[];
  };
  readonly mode: string;
  readonly cwd: string;
  readonly home?: string;
  readonly fs?: Readonly<Record<string, string>>;
  readonly trusted?: boolean;
  readonly call: { readonly tool: string; readonly input: JsonObject };
  readonly want: string;
}

const SOURCES: Readonly<Record<string, RuleSource>> = {
  policy: "policySettings",
  flag: "flagSettings",
  local: "localSettings",
  project: "projectSettings",
  user: "userSettings",
};

/** Decides a case through the real analysis, targets, workspace, policy and order, over the disk that it names. */
export async function decideCase(row: DecisionCase): Promise<Pick<Decision, "behavior" | "message">> {
  const home = row.home ?? "/home/u";
  const repository = posix.join(row.cwd, ".git");
  const disk = memoryDisk([row.cwd, home, repository], { [`${repository}/HEAD`]: "", ...row.fs });
  const platform: Platform = { ...nodePlatform(), fs: disk, os: "linux", homedir: () => home };
  const context = await contextOf(row, platform, home);
  const policy = compilePolicy(context);
  const tool = await toolOf(row, platform);
  if (bareDenied(policy, [tool.facts.name]).size > 0)
    return { behavior: "deny", message: "The tool is denied." };
  const workspace = await createWorkspace({
    platform,
    startDirectory: row.cwd,
    home,
    additionalDirectories: () => [...context.additionalDirectories.keys()],
  });
  const signal = new AbortController().signal;
  const targets = await workspace.resolveTargets(tool.targets, row.cwd, signal);
  return decide({ tool: tool.facts, input: row.call.input, targets }, policy, 1_700_000_000_000);
}

async function contextOf(row: DecisionCase, platform: Platform, home: string): Promise<PermissionContext> {
  const rules: SourcedRule[] = [];
  const directories = new Map<string, RuleSource>();
  let mode = normaliseMode(row.mode) ?? "dontAsk";
  const add = (list: unknown, behavior: RuleBehavior, source: RuleSource, file: string): void => {
    if (Array.isArray(list)) rules.push(...parseRuleList(list as string[], behavior, source, file));
  };
  for (const [layer, settings] of Object.entries(row.settings ?? {})) {
    const source = SOURCES[layer];
    if (source === undefined) throw new Error(`${row.id}: no such layer ${layer}`);
    const { permissions = {} } = settings;
    for (const behavior of ["allow", "deny", "ask"] as const)
      add(permissions[behavior], behavior, source, layer);
    for (const path of (permissions.additionalDirectories as string[] | undefined) ?? []) {
      directories.set(absolute(path, row.cwd, home), source);
    }
    if (permissions.denyInsteadOfPrompting === true) mode = "dontAsk";
    if (permissions.disableBypassPermissionsMode !== undefined && mode === "bypassPermissions")
      mode = "default";
  }
  add(row.options?.allowedTools, "allow", "cliArg", "allowedTools");
  add(row.options?.disallowedTools, "deny", "cliArg", "disallowedTools");
  for (const path of row.options?.additionalDirectories ?? []) {
    directories.set(absolute(path, row.cwd, home), "cliArg");
  }
  return {
    mode,
    startDirectory: row.cwd,
    startDirectoryReal: await platform.fs.realpath(row.cwd),
    projectRoot: await findProjectRoot(platform, row.cwd, home),
    home,
    additionalDirectories: directories,
    rules,
    isBypassAvailable: true,
    planMode: "ceiling",
    avoidPrompts: false,
    trusted: row.trusted ?? true,
    caseInsensitiveFiles: false,
  };
}

function absolute(path: string, cwd: string, home: string): string {
  return posix.resolve(cwd, path.replace(/^~(?=\/|$)/, home));
}

interface CaseTool {
  readonly facts: ToolFacts;
  readonly targets: readonly Target[];
}

async function toolOf(row: DecisionCase, platform: Platform): Promise<CaseTool> {
  const { tool: name, input } = row.call;
  const services = { shell: { cwd: () => row.cwd }, spawner: {}, files: {}, mayRead: () => true, todos: {} };
  const made = await builtinTools({ platform, services: services as unknown as ToolServices });
  const definition = made.find((each) => each.name === name || each.aliases.includes(name));
  if (definition === undefined) return standIn(name, input);
  const signal = new AbortController().signal;
  const context = { cwd: row.cwd, sessionId: "s", signal, services: services as unknown as ToolServices };
  return {
    targets: definition.targets(input, context),
    facts: {
      ...FACTS,
      name: definition.name,
      aliases: definition.aliases,
      readOnly: definition.isReadOnly(input),
      hasCheck: definition.hasCheck,
      riskLevel: definition.riskLevel(input),
      allowedInPlan: definition.allowedInPlan === true,
      allowedByItself: definition.allowedByItself === true,
    },
  };
}

const FACTS: ToolFacts = {
  name: "",
  aliases: [],
  source: "builtin",
  readOnly: false,
  destructive: false,
  openWorld: false,
  requiresUser: false,
  hasCheck: false,
  riskLevel: "high",
  allowedInPlan: false,
  allowedByItself: false,
};

/** Tools that do not run yet: what the contract says about them, and no more. */
function standIn(name: string, input: JsonObject): CaseTool {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name);
  if (mcp?.[1] !== undefined && mcp[2] !== undefined) {
    const named = { server: mcp[1], tool: mcp[2] };
    return { facts: { ...FACTS, name, source: "mcp", mcp: named }, targets: [{ kind: "mcp", ...named }] };
  }
  if (name === "Agent" || name === "Task") {
    const type = typeof input.subagent_type === "string" ? input.subagent_type : "general-purpose";
    const facts = { ...FACTS, name: "Agent", aliases: ["Task"], allowedByItself: true, allowedInPlan: true };
    return { facts, targets: [{ kind: "agent", type }] };
  }
  if (name === "WebFetch") {
    const { hostname } = new URL(String(input.url));
    return {
      facts: { ...FACTS, name, readOnly: true, allowedInPlan: true },
      targets: [{ kind: "host", host: hostname }],
    };
  }
  if (name === "WebSearch") {
    const facts: ToolFacts = { ...FACTS, name, readOnly: true, riskLevel: "medium", allowedInPlan: true };
    return { facts, targets: [{ kind: "name", value: name }] };
  }
  if (name === "Skill") {
    const facts = { ...FACTS, name, allowedByItself: true, allowedInPlan: true };
    return { facts, targets: [{ kind: "name", value: String(input.skill ?? input.command) }] };
  }
  throw new Error(`No facts about the tool ${name}.`);
}
