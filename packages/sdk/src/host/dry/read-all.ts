import type { SettingsRead } from "../../settings/index.ts";
import { type SettingsPlaces, settingsPlaces } from "../opening/session-place.ts";
import { readCheckOptions } from "./check-options.ts";
import { givenSettings } from "./given-settings.ts";
import type { CheckOptions } from "./types.ts";

/** Where settings are read, and what stands there. */
export interface AllSettings extends SettingsPlaces {
  readonly options: CheckOptions;
  readonly read: SettingsRead;
}

/**
 * What a session with these options would read.
 *
 * Rejects with a CastellanError `invalid_option` or `invalid_settings`.
 */
export async function readAll(given: CheckOptions): Promise<AllSettings> {
  const options = readCheckOptions(given);
  const { settingSources: sources = [], compat = [], settings } = options;
  const places = settingsPlaces(options, compat);
  const read = await givenSettings({ ...places, sources, compat }, settings);
  return { ...places, options, read };
}
