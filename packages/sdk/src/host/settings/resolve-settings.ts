import {
  absentDirectories,
  type CompatHost,
  effectiveSettings,
  isTrusted,
  type ResolvedSettings,
  readSettings,
  SETTING_SOURCES,
  type SettingSource,
} from "../../settings/index.ts";
import { settingsPlaces } from "../opening/session-place.ts";
import { checkKeys } from "../options/check-keys.ts";
import { flag, text } from "../options/checks.ts";
import type { Check } from "../options/fault.ts";
import { compat, settingSources } from "../options/settings-checks.ts";
import { platformCheck } from "../options/table.ts";
import type { Options } from "../options/types.ts";

/** Which settings to look at. */
export interface ResolveOptions {
  /** Default: the process's own. */
  readonly cwd?: string;
  /** Default: all three, `user`, `project`, `local`. The machine's policy always counts. */
  readonly settingSources?: readonly SettingSource[];
  /** Other hosts whose folders are read as well. Default none. */
  readonly compat?: readonly CompatHost[];
  /** Default: what `castellan trust` has recorded. */
  readonly trustWorkspace?: boolean;
  readonly platform?: Options["platform"];
}

const CHECKS: { readonly [K in keyof Required<ResolveOptions>]: Check } = {
  cwd: text,
  settingSources,
  compat,
  trustWorkspace: flag,
  platform: platformCheck,
};

/** As its door in ../settings-runs.ts says. */
export async function resolveSettings(options: ResolveOptions = {}): Promise<ResolvedSettings> {
  checkKeys(options, CHECKS);
  const { settingSources: sources = SETTING_SOURCES, compat: hosts = [] } = options;
  const places = settingsPlaces(options, hosts);
  const read = await readSettings({ ...places, sources, compat: hosts });
  const trusted = options.trustWorkspace ?? (await isTrusted(places));
  const resolved = effectiveSettings(read, { ...places, trusted });
  const absent = absentDirectories(places.platform, read.layers, { ...places, trusted });
  return { ...resolved, findings: [...resolved.findings, ...absent] };
}
