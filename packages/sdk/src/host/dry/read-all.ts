import type { SettingsRead } from "../../settings/index.ts";
import { type SettingsPlaces, settingsPlaces } from "../opening/session-place.ts";
import { givenSettings } from "./given-settings.ts";
import type { CheckOptions } from "./types.ts";

/** Where settings are read, and what stands there. */
export interface AllSettings extends SettingsPlaces {
  readonly options: CheckOptions;
  readonly read: SettingsRead;
}

/**
 * What a session with these options, checked already, would read.
 *
 * Rejects with a CastellanError `invalid_option` where `cwd` is no directory, or `invalid_settings`.
 */
export async function readAll(options: CheckOptions): Promise<AllSettings> {
  const { settingSources: sources = [], compat = [], settings } = options;
  const places = settingsPlaces(options, compat);
  const read = await givenSettings({ ...places, sources, compat }, settings);
  return { ...places, options, read };
}
