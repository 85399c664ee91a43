import { placeOf } from "../../permissions/index.ts";
import { hasMachinePolicy, type SettingsFinding } from "../../settings/index.ts";
import { findProjectRoot } from "../../workspace/index.ts";
import { sessionHome } from "./child-env.ts";
import type { SessionSettings, SettingsParts } from "./settings-parts.ts";

/**
 * Reads the settings of a session and says what they come to. Where there are none, nothing of that is loaded.
 *
 * Rejects with CastellanError `invalid_settings` or `invalid_rule` where the machine's policy, or what the options name,
 * cannot be read, and where an example of a rule fails.
 */
export async function sessionSettings(parts: SettingsParts): Promise<SessionSettings> {
  const { options, platform, cwd, policy } = parts;
  const { settingSources = [], settings, managedSettings, permissionRules } = options;
  const given = [policy, settings, managedSettings, permissionRules].some((each) => each !== undefined);
  if (given || settingSources.length > 0 || hasMachinePolicy(platform)) {
    const { loadSettings } = await import("./load-settings.ts");
    return loadSettings(parts);
  }
  const { merged, values, flag, broken, findings } = NO_SETTINGS;
  // Field by field: a copy with more fields takes a shape of its own, which is larger than it.
  return {
    merged,
    values,
    flag,
    broken,
    findings,
    trusted: options.trustWorkspace === true,
    projectRoot: findProjectRoot(platform, cwd, platform.homedir(), options.compat),
    home: sessionHome(platform, options.env),
    env: options.env,
  };
}

/** One for all sessions without any: nobody changes it. */
const NO_SETTINGS: Pick<SessionSettings, "merged" | "values" | "flag" | "broken" | "findings"> = {
  merged: { rules: [], directories: [], findings: [] },
  values: { env: new Map() },
  flag: {},
  broken: undefined,
  findings: [],
};

/** A finding as one line for a person. */
export function settingsText({ source, file, line, key, message, fix }: SettingsFinding): string {
  const place = placeOf({ source, file, ...(line === undefined ? {} : { position: line }) });
  const about = key === undefined || message.startsWith(key) ? "" : `${key}: `;
  return `Settings (${place}): ${about}${message}${fix === undefined ? "" : ` ${fix}`}`;
}
