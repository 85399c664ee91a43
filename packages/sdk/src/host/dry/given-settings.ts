import {
  type ReadOptions,
  readFlag,
  readSettings,
  type Settings,
  type SettingsRead,
} from "../../settings/index.ts";
import type { CheckOptions } from "./types.ts";

/**
 * The settings that a session would read, and each file and object that is named as one more flag layer.
 *
 * Rejects with CastellanError `invalid_settings` where the policy, or what was named, cannot be read.
 */
export async function givenSettings(
  places: Omit<ReadOptions, "flag">,
  given: CheckOptions["settings"],
): Promise<SettingsRead> {
  const read = await readSettings(places);
  if (given === undefined) return read;
  const named = await Promise.all(listOf(given).map((flag) => readFlag(places.platform, flag, places.cwd)));
  return {
    ...read,
    layers: [...read.layers, ...named.flatMap(({ layer }) => layer ?? [])],
    findings: [...read.findings, ...named.flatMap(({ findings }) => findings)],
  };
}

function listOf(given: NonNullable<CheckOptions["settings"]>): readonly (string | Settings)[] {
  return Array.isArray(given) ? given : [given as string | Settings];
}
