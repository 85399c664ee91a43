import type { PolicyHolder } from "../../gate/index.ts";
import {
  type Finding,
  misnamedServers,
  placeOf,
  type ServerNames,
  unknownNames,
} from "../../permissions/index.ts";
import { absolutePath, isDirectory, type Platform } from "../../platform/index.ts";
import type { Recorder, Spawner } from "../../protocol/index.ts";
import type { SessionState } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import { policyGround, type SessionPolicy } from "./policy-ground.ts";
import { startingRules } from "./session-rules.ts";
import { settingsText } from "./session-settings.ts";
import type { SessionSettings } from "./settings-parts.ts";

/** The rules of settings, options and log over the directories of this machine. */
export function sessionPolicy(parts: {
  readonly options: Options;
  readonly state: SessionState;
  readonly cwd: string;
  readonly platform: Platform;
  readonly recorder: Recorder;
  readonly teller: Teller;
  readonly settings: SessionSettings;
  readonly spawner: Spawner;
  readonly isFork: boolean;
  readonly kept: readonly string[];
}): Promise<SessionPolicy> {
  const { options, state, cwd, platform, recorder, teller, settings, spawner, isFork, kept } = parts;
  const { merged, flag } = settings;
  const { warning, ...start } = startingRules({
    ...{ options, state, merged, flag, isFork },
    absolute: (path) => absolutePath(path, cwd, settings.home.home),
  });
  for (const finding of settings.findings) teller.notify(finding.severity, settingsText(finding));
  for (const [path, source] of start.directories) {
    if (source !== "cliArg" || isDirectory(platform.fs, path)) continue;
    const fix = "Make it, or mend the path.";
    teller.notify("warning", `options.additionalDirectories: there is no directory ${path}. ${fix}`);
  }
  if (warning !== undefined) teller.notify("warning", warning);
  return policyGround({
    ...settings,
    ...start,
    ...{ platform, cwd, recorder, kept },
    isBypassWished: options.allowDangerouslySkipPermissions === true,
    planMode: options.planMode ?? "ceiling",
    ...(state.prePlanMode === undefined ? {} : { prePlanMode: state.prePlanMode }),
    environment: () => spawner.env,
    granted: state.sessionRules,
  });
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
