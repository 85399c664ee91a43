import { normaliseMode } from "../../permissions/index.ts";
import { absentDirectories, isTrusted, layerOf, type SettingsLayer } from "../../settings/index.ts";
import type { Catalogue } from "../../tools/index.ts";
import { checkKeys } from "../options/check-keys.ts";
import { CHECK_OPTIONS } from "./check-options.ts";
import { type DrySession, openDry } from "./dry-session.ts";
import { dryTools } from "./dry-tools.ts";
import { ofSettings, ruleFindings } from "./findings.ts";
import { readAll } from "./read-all.ts";
import type { CheckOptions, PolicyFinding } from "./types.ts";

/** A dry session over the disk and the settings of this machine. */
export interface OpenCheck {
  readonly session: DrySession;
  readonly catalogue: Catalogue;
  readonly findings: readonly PolicyFinding[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Reads what a session would read, and opens one that runs nothing.
 *
 * Rejects with a CastellanError `invalid_option`, `invalid_settings` or `invalid_rule`.
 */
export async function openCheck(given: CheckOptions): Promise<OpenCheck> {
  checkKeys(given, CHECK_OPTIONS);
  const { platform, options, cwd, home, projectRoot, read } = await readAll(given);
  const trusted = options.trusted ?? (await isTrusted({ platform, home, projectRoot }));
  const tools = await dryTools(platform, options.tools);
  const catalogue = tools.catalogue(serversOf(read.layers));
  const session = await openDry({
    ...{ platform, cwd, home, projectRoot, trusted, options, catalogue },
    layers: read.layers,
    broken: read.broken,
    mode: options.mode === undefined ? undefined : normaliseMode(options.mode),
  });
  const absent = absentDirectories(platform, [...read.layers, ...optionLayer(options)], {
    ...{ cwd, home, projectRoot, trusted },
  });
  const findings = [
    ...[...read.findings, ...session.findings, ...absent].map(ofSettings),
    ...ruleFindings(session.policy.current().policy, tools.names),
  ];
  for (const finding of findings) options.onFinding?.(finding);
  return { session, catalogue, findings, now: platform.clock.now() };
}

/** The directories that the options add, as a layer of their own. */
function optionLayer({ additionalDirectories }: CheckOptions): SettingsLayer[] {
  if (additionalDirectories === undefined) return [];
  const value = { permissions: { additionalDirectories } };
  return [layerOf({ source: "cliArg", file: "options", value }).layer];
}

/** The keys of all servers that settings define. */
export function serversOf(layers: readonly SettingsLayer[]): string[] {
  return layers.flatMap(({ settings }) => Object.keys(settings.mcpServers ?? {}));
}
