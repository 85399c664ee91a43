import { createGate, type PolicyHolder } from "../../gate/index.ts";
import { compileHooks } from "../../hooks/index.ts";
import { absolutePath } from "../../platform/index.ts";
import type { Decision, PermissionMode, RuleSource } from "../../protocol/index.ts";
import { keptIn, storeHome } from "../../sessions/index.ts";
import {
  type MergedPermissions,
  mergePermissions,
  mergeValues,
  type SettingsFinding,
  type SettingsLayer,
} from "../../settings/index.ts";
import type { Catalogue } from "../../tools/index.ts";
import { childEnv, sessionHome } from "../opening/child-env.ts";
import { environmentOf } from "../opening/environment-of.ts";
import { type GroundParts, policyGround } from "../opening/policy-ground.ts";
import { optionRules } from "../opening/session-rules.ts";
import { dryServices, NO_LOG } from "./dry-services.ts";
import type { CheckOptions, DryCall } from "./types.ts";

/** What a dry session is made of: everything is known, nothing is looked for. */
export interface DryGround
  extends Pick<GroundParts, "platform" | "cwd" | "projectRoot" | "trusted" | "broken"> {
  /** The home of the user; settings may give processes another one. */
  readonly home: string;
  readonly layers: readonly SettingsLayer[];
  readonly mode: PermissionMode | undefined;
  readonly options: Pick<
    CheckOptions,
    "allowedTools" | "disallowedTools" | "additionalDirectories" | "avoidPrompts"
  >;
  readonly catalogue: Catalogue;
}

/** What a call comes to; `ok: false` where its input does not fit the tool. */
export type DryOutcome =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly text: string };

export interface DrySession {
  /** About permissions of settings. */
  readonly findings: readonly SettingsFinding[];
  readonly policy: PolicyHolder;
  decide(call: DryCall): Promise<DryOutcome>;
}

/**
 * A session that runs nothing and asks nobody, for its decisions alone: they come from the same gate.
 *
 * @throws CastellanError `invalid_rule` for a rule of the machine's policy that cannot be read.
 */
export async function openDry(ground: DryGround): Promise<DrySession> {
  const { platform, cwd, projectRoot, trusted, layers, catalogue, options } = ground;
  const added = environmentOf(mergeValues(layers, { trusted }), undefined);
  const home = sessionHome({ homedir: () => ground.home }, added);
  const environment = childEnv(platform.env, added, home.home);
  const merged = mergePermissions(layers, { trusted, home: home.home, projectRoot, cwd });
  const wished = ground.mode ?? merged.defaultMode?.mode ?? "default";
  const { workspace, policy } = await policyGround({
    ...{ ...ground, home, merged },
    // Where a session would refuse to open, its mode for the others is shown.
    mode: wished === "bypassPermissions" && merged.disableBypass !== undefined ? "default" : wished,
    isBypassWished: true,
    planMode: "ceiling",
    avoidPrompts: options.avoidPrompts === true,
    directories: [...directoriesOf(ground, merged, home.home)],
    rules: [...merged.rules, ...optionRules(options)],
    environment: () => environment,
    recorder: NO_LOG,
    kept: keptIn(storeHome(platform)),
  });
  const { mode } = policy.current().context;
  const gate = createGate({
    catalogue,
    workspace,
    policy,
    hooks: compileHooks(undefined),
    hookInput: () => ({ session_id: "dry", transcript_path: "", cwd, permission_mode: mode }),
    canUseToolScope: "ask",
    services: dryServices({ cwd, environment, workspace, policy }),
    platform,
    recorder: NO_LOG,
    sessionId: "dry",
    notify: () => {},
  });
  const { signal } = new AbortController();
  return {
    findings: merged.findings,
    policy,
    async decide({ tool, input }) {
      const call = { id: "dry", name: tool, input, assistantMessageId: "dry" };
      const considered = await gate.consider(call, { signal });
      if (considered.kind === "decided") return { ok: true, decision: considered.decision };
      return { ok: false, text: considered.kind === "refuse" ? considered.text : "The call was cancelled." };
    },
  };
}

function directoriesOf(
  { cwd, options }: DryGround,
  merged: MergedPermissions,
  home: string,
): Map<string, RuleSource> {
  const directories = new Map<string, RuleSource>(merged.directories);
  for (const path of options.additionalDirectories ?? []) {
    directories.set(absolutePath(path, cwd, home), "cliArg");
  }
  return directories;
}
