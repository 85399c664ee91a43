import { resolve } from "node:path";
import { nodePlatform, type Platform } from "../../platform/index.ts";
import type { SettingsRead } from "../../settings/index.ts";
import { findProjectRoot } from "../../workspace/index.ts";
import { sessionPlace } from "../opening/session-place.ts";
import { readCheckOptions } from "./check-options.ts";
import { givenSettings } from "./given-settings.ts";
import type { CheckOptions } from "./types.ts";

/** Where settings are read, and what stands there. */
export interface AllSettings {
  readonly platform: Platform;
  readonly options: CheckOptions;
  readonly cwd: string;
  readonly home: string;
  readonly projectRoot: string;
  readonly read: SettingsRead;
}

/**
 * What a session with these options would read.
 *
 * Rejects with a CastellanError `invalid_option` or `invalid_settings`.
 */
export async function readAll(given: CheckOptions): Promise<AllSettings> {
  const options = readCheckOptions(given);
  const platform: Platform = { ...nodePlatform(), ...options.platform };
  const cwd = sessionPlace(options.cwd, undefined, platform);
  const home = options.home === undefined ? platform.homedir() : resolve(cwd, options.home);
  const { settingSources: sources = [], compat = [], settings } = options;
  const projectRoot = findProjectRoot(platform, cwd, home, compat);
  const read = await givenSettings({ platform, cwd, home, projectRoot, sources, compat }, settings);
  return { platform, options, cwd, home, projectRoot, read };
}
