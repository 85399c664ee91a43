import { createPolicyHolder, type PolicyHolder } from "../../gate/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { PermissionContext, Recorder, Spawner } from "../../protocol/index.ts";
import { createWorkspace, realForms, type Workspace } from "../../workspace/index.ts";
import type { SessionHome } from "./child-env.ts";
import type { StartingRules } from "./session-rules.ts";
import { countingRules, settingsContext } from "./settings-context.ts";
import type { SessionSettings } from "./settings-parts.ts";

/** Where a session may work, and what it may do there. */
export interface SessionPolicy {
  readonly workspace: Workspace;
  readonly policy: PolicyHolder;
}

/** What the permissions of a session are made of; a dry run of one is made of the same. */
export interface GroundParts
  extends Pick<SessionSettings, "merged" | "broken" | "trusted" | "projectRoot">,
    Pick<StartingRules, "rules" | "directories" | "mode">,
    Pick<PermissionContext, "planMode" | "prePlanMode">,
    Partial<Pick<PermissionContext, "avoidPrompts">> {
  readonly platform: Platform;
  /** Absolute. */
  readonly cwd: string;
  readonly home: SessionHome;
  /** The danger flag was given. */
  readonly isBypassWished: boolean;
  /** What processes of tools get. */
  environment(): Spawner["env"];
  readonly recorder: Recorder;
  /** Files and folders of the stores, absolute. */
  readonly kept: readonly string[];
  /** What the log says of the rules that updates added. */
  readonly granted?: Parameters<typeof createPolicyHolder>[0]["granted"];
}

/** Looks at the directories on this disk, and puts rules, switches and mode over them. */
export async function policyGround(parts: GroundParts): Promise<SessionPolicy> {
  const { platform, cwd, projectRoot, merged, broken, trusted, mode, planMode, recorder, granted } = parts;
  const { home, ownHome } = parts.home;
  const ofUser = ownHome === undefined ? { home } : { home, ownHome };
  const added = parts.directories.map(([path]) => path);
  let directories = (): readonly string[] => added;
  const workspace = await createWorkspace({
    platform,
    startDirectory: cwd,
    ...ofUser,
    environment: parts.environment,
    kept: parts.kept,
    additionalDirectories: () => directories(),
  });
  const { startDirectory, startDirectoryReal, caseInsensitive } = workspace;
  const context: PermissionContext = {
    mode,
    ...{ startDirectory, startDirectoryReal, projectRoot, trusted, planMode },
    ...ofUser,
    realForms: realForms(platform, [...Object.values(ofUser), projectRoot, ...directories()]),
    additionalDirectories: new Map(parts.directories),
    rules: countingRules(parts.rules, merged),
    isBypassAvailable: parts.isBypassWished && merged.disableBypass === undefined,
    ...(parts.prePlanMode === undefined ? {} : { prePlanMode: parts.prePlanMode }),
    avoidPrompts: parts.avoidPrompts === true,
    caseInsensitiveFiles: caseInsensitive,
    ...settingsContext(merged, broken),
  };
  const holder = { context, recorder, platform };
  const policy = createPolicyHolder(granted === undefined ? holder : { ...holder, granted });
  directories = () => [...policy.current().context.additionalDirectories.keys()];
  return { workspace, policy };
}
