import { type CheckOptions, check, type Decision, type PolicyFinding } from "@castellan/sdk/permissions";
import { type FileSystem, memoryFiles } from "../../packages/sdk/src/platform/index.ts";
import type { JsonObject } from "../../packages/sdk/src/protocol/index.ts";
import type { PermissionSettings, SettingsSwitches } from "../../packages/sdk/src/settings/index.ts";

type Permissions = PermissionSettings & SettingsSwitches;

/** Where a call is judged. Nothing exists but what is named here; all of it is optional. */
export interface World extends Permissions {
  /** What stands above is in the project's file; this is in other files. */
  readonly user?: Permissions;
  readonly local?: Permissions;
  readonly policy?: Permissions;
  /** Default: what the files say. */
  readonly mode?: NonNullable<CheckOptions["mode"]>;
  /** Default `/work/app`. */
  readonly cwd?: string;
  /** Default `/home/ada`. */
  readonly home?: string;
  /** Text by absolute path; `-> target` is a link. */
  readonly fs?: Readonly<Record<string, string>>;
  readonly trusted?: boolean;
}

/** A line for Bash, or a tool and its input. */
export type Call = string | readonly [tool: string, input: JsonObject];

const refuse = (): never => {
  throw new Error("Nothing is written here.");
};
const UNWRITTEN = { writeFile: refuse, open: refuse, openSync: refuse, writeSync: refuse };

/** The decision of the real engine about a call, before anybody is asked. */
export async function judge(call: Call, world: World = {}): Promise<Decision> {
  const [tool, input] = typeof call === "string" ? (["Bash", { command: call }] as const) : call;
  const decision = await check({ tool, input }, optionsOf(world));
  if (decision.reason.type !== "invalid") return decision;
  throw new Error(`${tool} cannot be called with ${JSON.stringify(input)}: ${decision.message}`);
}

/** What is said about the rules and settings of a world when a session starts in it. */
export async function told(world: World): Promise<readonly PolicyFinding[]> {
  const findings: PolicyFinding[] = [];
  const onFinding = (finding: PolicyFinding): void => void findings.push(finding);
  await check({ tool: "Bash", input: { command: "true" } }, { ...optionsOf(world), onFinding });
  return findings;
}

/** A world as the options of a dry run: a disk in memory that holds the settings files. */
export function optionsOf(world: World): CheckOptions {
  const { user, local, policy, mode, cwd = "/work/app", home = "/home/ada", fs = {}, trusted = true } = world;
  const { allow, deny, ask, rules, additionalDirectories, defaultMode } = world;
  const project = { allow, deny, ask, rules, additionalDirectories, defaultMode };
  const files = [
    [`${cwd}/.castellan/settings.json`, project],
    [`${cwd}/.castellan/settings.local.json`, local],
    [`${home}/.castellan/settings.json`, user],
    ["/etc/castellan/managed-settings.json", policy],
  ] as const;
  const texts = files
    .filter(([, permissions]) => permissions !== undefined)
    .map(([path, permissions]) => [path, JSON.stringify({ permissions }, undefined, 2)] as const);
  return {
    settingSources: ["user", "project", "local"],
    cwd,
    home,
    trusted,
    ...(mode === undefined ? {} : { mode }),
    platform: {
      fs: {
        ...memoryFiles([cwd, home], { [`${cwd}/.git/HEAD`]: "", ...Object.fromEntries(texts), ...fs }),
        ...UNWRITTEN,
      } as FileSystem,
      os: "linux",
      env: {},
      homedir: () => home,
      cwd: () => cwd,
    },
  };
}
