import { resolve } from "node:path";
import { createPolicyHolder, type PolicyHolder } from "../../gate/index.ts";
import {
  type Finding,
  misnamedServers,
  placeOf,
  type ServerNames,
  unknownNames,
} from "../../permissions/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { PermissionContext, Recorder, Spawner } from "../../protocol/index.ts";
import type { SessionState } from "../../sessions/index.ts";
import { createWorkspace, realForms, type Workspace } from "../../workspace/index.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import { startingRules } from "./session-rules.ts";
import { settingsText } from "./session-settings.ts";
import { settingsContext } from "./settings-context.ts";
import type { SessionSettings } from "./settings-parts.ts";

/** Where a session may work, and what it may do there. */
export interface SessionPolicy {
  readonly workspace: Workspace;
  readonly policy: PolicyHolder;
}

/** The rules of settings, options and log over the directories of this machine. */
export async function sessionPolicy(parts: {
  readonly options: Options;
  readonly state: SessionState;
  readonly cwd: string;
  readonly platform: Platform;
  readonly recorder: Recorder;
  readonly teller: Teller;
  readonly settings: SessionSettings;
  readonly spawner: Spawner;
}): Promise<SessionPolicy> {
  const { options, state, cwd, platform, recorder, teller, settings } = parts;
  const { merged, flag, projectRoot } = settings;
  const start = startingRules({ options, state, merged, flag, absolute: (path) => resolve(cwd, path) });
  for (const finding of settings.findings) teller.notify(finding.severity, settingsText(finding));
  if (start.warning !== undefined) teller.notify("warning", start.warning);
  let directories = (): readonly string[] => start.directories.map(([path]) => path);
  const { home, ownHome } = settings.home;
  const workspace = await createWorkspace({
    platform,
    startDirectory: cwd,
    home,
    ...(ownHome === undefined ? {} : { ownHome }),
    environment: () => parts.spawner.env,
    additionalDirectories: () => directories(),
  });
  const anchors = [
    home,
    ...(ownHome === undefined ? [] : [ownHome]),
    projectRoot,
    ...start.directories.map(([path]) => path),
  ];
  const context: PermissionContext = {
    mode: start.mode,
    startDirectory: workspace.startDirectory,
    startDirectoryReal: workspace.startDirectoryReal,
    projectRoot,
    home,
    ...(ownHome === undefined ? {} : { ownHome }),
    realForms: realForms(platform, anchors),
    additionalDirectories: new Map(start.directories),
    rules: start.rules,
    isBypassAvailable: options.allowDangerouslySkipPermissions === true && merged.disableBypass === undefined,
    planMode: options.planMode ?? "ceiling",
    ...(state.prePlanMode === undefined ? {} : { prePlanMode: state.prePlanMode }),
    avoidPrompts: false,
    trusted: settings.trusted,
    caseInsensitiveFiles: workspace.caseInsensitive,
    ...settingsContext(merged, settings.broken),
  };
  const policy = createPolicyHolder({ context, granted: state.sessionRules, recorder, platform });
  directories = () => [...policy.current().context.additionalDirectories.keys()];
  return { workspace, policy };
}

/** Tells what is wrong with the rules, by themselves and beside the tools that there are. */
export function tellFindings(
  policy: PolicyHolder,
  names: readonly string[],
  servers: readonly ServerNames[],
  teller: Teller,
): void {
  const { policy: compiled } = policy.current();
  const findings = [...unknownNames(compiled, names), ...misnamedServers(compiled, servers)];
  for (const finding of [...compiled.findings, ...findings]) {
    teller.notify(finding.severity, findingText(finding));
  }
}

function findingText(finding: Finding): string {
  const fix = finding.fix === undefined ? "" : ` ${finding.fix}`;
  return `Rule ${finding.text} (${placeOf(finding)}): ${finding.message}${fix}`;
}
