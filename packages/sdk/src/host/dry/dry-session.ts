import { resolve } from "node:path";
import { createGate, createPolicyHolder, type PolicyHolder } from "../../gate/index.ts";
import { compileHooks } from "../../hooks/index.ts";
import { modeUnder, parseRuleList } from "../../permissions/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { Decision, PermissionContext, PermissionMode, RuleSource } from "../../protocol/index.ts";
import type { MergedPermissions } from "../../settings/index.ts";
import type { Catalogue } from "../../tools/index.ts";
import { createWorkspace, realForms } from "../../workspace/index.ts";
import { countingRules, settingsContext } from "../opening/settings-context.ts";
import { dryServices, NO_LOG } from "./dry-services.ts";
import type { CheckOptions, DryCall } from "./types.ts";

/** What a dry session is made of: everything is known, nothing is looked for. */
export interface DryGround {
  readonly platform: Platform;
  /** Absolute, like the next two. */
  readonly cwd: string;
  readonly home: string;
  readonly projectRoot: string;
  readonly trusted: boolean;
  readonly merged: MergedPermissions;
  /** A settings file that may hold denies could not be read. */
  readonly broken?: string | undefined;
  readonly mode: PermissionMode | undefined;
  readonly options: Pick<CheckOptions, "allowedTools" | "disallowedTools" | "additionalDirectories">;
  readonly environment: Readonly<Record<string, string>>;
  readonly catalogue: Catalogue;
}

/** What a call comes to; `ok: false` where its input does not fit the tool. */
export type DryOutcome =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly text: string };

export interface DrySession {
  readonly policy: PolicyHolder;
  decide(call: DryCall): Promise<DryOutcome>;
}

/**
 * A session that runs nothing and asks nobody, for its decisions alone: they come from the same gate.
 *
 * @throws CastellanError `invalid_rule` for a rule of the machine's policy that cannot be read.
 */
export async function openDry(ground: DryGround): Promise<DrySession> {
  const { platform, cwd, home, environment, catalogue } = ground;
  let policy: PolicyHolder | undefined;
  const workspace = await createWorkspace({
    platform,
    startDirectory: cwd,
    home,
    environment: () => environment,
    additionalDirectories: () => [...(policy?.current().context.additionalDirectories.keys() ?? [])],
  });
  const context = contextOf(ground, workspace);
  policy = createPolicyHolder({ context, recorder: NO_LOG, platform });
  const gate = createGate({
    catalogue,
    workspace,
    policy,
    hooks: compileHooks(undefined),
    hookInput: () => ({ session_id: "dry", transcript_path: "", cwd, permission_mode: context.mode }),
    canUseToolScope: "ask",
    services: dryServices({ cwd, environment, workspace, policy }),
    platform,
    recorder: NO_LOG,
    sessionId: "dry",
    notify: () => {},
  });
  const { signal } = new AbortController();
  return {
    policy,
    async decide({ tool, input }) {
      const call = { id: "dry", name: tool, input, assistantMessageId: "dry" };
      const considered = await gate.consider(call, { signal });
      if (considered.kind === "decided") return { ok: true, decision: considered.decision };
      return { ok: false, text: considered.kind === "refuse" ? considered.text : "The call was cancelled." };
    },
  };
}

function contextOf(
  ground: DryGround,
  workspace: Pick<PermissionContext, "startDirectory" | "startDirectoryReal"> & {
    readonly caseInsensitive: boolean;
  },
): PermissionContext {
  const { platform, home, projectRoot, merged, options, broken, trusted } = ground;
  const directories = directoriesOf(ground);
  return {
    ...modeUnder(ground.mode ?? merged.defaultMode?.mode ?? "default", merged, true),
    startDirectory: workspace.startDirectory,
    startDirectoryReal: workspace.startDirectoryReal,
    projectRoot,
    home,
    realForms: realForms(platform, [home, projectRoot, ...directories.keys()]),
    additionalDirectories: directories,
    rules: countingRules(
      [
        ...merged.rules,
        ...parseRuleList(options.allowedTools ?? [], "allow", "cliArg", "allowedTools"),
        ...parseRuleList(options.disallowedTools ?? [], "deny", "cliArg", "disallowedTools"),
      ],
      merged,
    ),
    planMode: "ceiling",
    avoidPrompts: false,
    trusted,
    caseInsensitiveFiles: workspace.caseInsensitive,
    ...settingsContext(merged, broken),
  };
}

function directoriesOf({ cwd, home, merged, options }: DryGround): Map<string, RuleSource> {
  const directories = new Map<string, RuleSource>(merged.directories);
  for (const path of options.additionalDirectories ?? []) {
    directories.set(
      resolve(
        cwd,
        path.replace(/^~(?=\/|$)/, () => home),
      ),
      "cliArg",
    );
  }
  return directories;
}
