import { matcherFault } from "../../hooks/index.ts";
import { type LintFinding, lintRules } from "../../permissions/index.ts";
import {
  absentDirectories,
  failingIn,
  type MergedPermissions,
  mergePermissions,
  type SettingsFinding,
  type SettingsLayer,
} from "../../settings/index.ts";
import { LINT_OPTIONS } from "../dry/check-options.ts";
import { dryTools } from "../dry/dry-tools.ts";
import { type AllSettings, readAll } from "../dry/read-all.ts";
import { checkKeys } from "../options/check-keys.ts";
import type { LintOptions } from "./types.ts";

/**
 * What is wrong with the settings of a place: its rules, its hooks and its keys. Rules of a project count as if it were
 * trusted: what does not count until then may be wrong all the same.
 *
 * Rejects as `check()` does.
 */
export async function lint(options: LintOptions = {}): Promise<readonly LintFinding[]> {
  checkKeys(options, LINT_OPTIONS);
  return findingsOf(await readAll(options));
}

export async function findingsOf(all: AllSettings): Promise<readonly LintFinding[]> {
  const { read, platform, options, cwd, home, projectRoot } = all;
  const merged = mergedOf(all);
  const tools = await dryTools(platform, options.tools);
  const findings = lintRules({
    rules: merged.rules,
    hooks: read.layers.map(hooksOf),
    toolNames: tools.names,
    sandboxed: read.layers.some(isSandboxed),
    startDirectory: cwd,
    projectRoot,
    home,
    now: platform.clock.now(),
    matcherFault,
  });
  return [...[...read.findings, ...merged.findings].map(ofSettings), ...findings];
}

/** Every rule that is written, and what the layers together make of them. */
function mergedOf(all: AllSettings): Pick<MergedPermissions, "rules" | "findings"> {
  const options = { ...all, trusted: true };
  // Examples that fail are findings here, and stop nothing.
  const layers = all.read.layers.map(withoutExamples);
  return {
    // Layer by layer: a switch of one takes away rules of others.
    rules: layers.flatMap((layer) => mergePermissions([layer], options).rules),
    findings: [
      ...all.read.layers.flatMap((layer) => failingIn(layer, options)),
      ...mergePermissions(layers, options).findings,
      ...absentDirectories(all.platform, layers, options),
    ],
  };
}

function withoutExamples(layer: SettingsLayer): SettingsLayer {
  const { settings } = layer;
  const { rules: objects, ...permissions } = settings.permissions ?? {};
  if (objects === undefined) return layer;
  const rules = objects.map(({ match: _, notMatch: __, ...rule }) => rule);
  return { ...layer, settings: { ...settings, permissions: { ...permissions, rules } } };
}

function hooksOf({ settings, source, file, line }: SettingsLayer): {
  readonly value: unknown;
  readonly source: SettingsLayer["source"];
  readonly file: string;
  readonly line: (path: readonly (string | number)[]) => number | undefined;
} {
  return { value: settings.hooks, source, file, line: (path) => line(["hooks", ...path]) };
}

function isSandboxed({ settings: { sandbox } }: SettingsLayer): boolean {
  return typeof sandbox === "object" && sandbox !== null && "enabled" in sandbox && sandbox.enabled === true;
}

function ofSettings({ code, severity, source, file, line, key, message, fix }: SettingsFinding): LintFinding {
  return {
    code,
    severity,
    rule: key ?? "",
    list: "settings",
    source,
    file,
    ...(line === undefined ? {} : { line }),
    message: fix === undefined ? message : `${message} ${fix}`,
  };
}
