import { nodePlatform, type Platform } from "../../platform/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import {
  type CompatHost,
  effectiveSettings,
  isTrusted,
  type ResolvedSettings,
  readSettings,
  type SettingSource,
} from "../../settings/index.ts";
import { findProjectRoot } from "../../workspace/index.ts";
import { sessionPlace } from "../opening/session-place.ts";
import { flag, text } from "../options/checks.ts";
import { badOption, type Check, faultError, shown } from "../options/fault.ts";
import { compat, settingSources } from "../options/settings-checks.ts";
import { platformCheck } from "../options/table.ts";
import type { Options } from "../options/types.ts";
import { unknownKey } from "../options/unknown-key.ts";

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
  check(options);
  const platform: Platform = { ...nodePlatform(), ...options.platform };
  const { settingSources: sources = ["user", "project", "local"], compat: hosts = [] } = options;
  const cwd = sessionPlace(options.cwd, undefined, platform);
  const home = platform.homedir();
  const projectRoot = findProjectRoot(platform, cwd, home, hosts);
  const places = { platform, cwd, home, projectRoot };
  const read = await readSettings({ ...places, sources, compat: hosts });
  const trusted = options.trustWorkspace ?? (await isTrusted(places));
  return effectiveSettings(read, { ...places, trusted });
}

function check(given: unknown): void {
  if (!isJsonObject(given)) {
    throw badOption("options", `options is ${shown(given)}.`, "It must be an object, or left out.");
  }
  for (const [key, value] of Object.entries(given)) {
    const one = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof ResolveOptions] : undefined;
    if (one === undefined) throw unknownKey(key, Object.keys(CHECKS));
    const found = value === undefined ? undefined : one(value);
    if (found !== undefined) throw faultError("options", key, found);
  }
}
