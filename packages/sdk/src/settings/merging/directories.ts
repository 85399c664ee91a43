import { absolutePath } from "../../platform/index.ts";
import type { SettingsLayer } from "../types.ts";

/** Where relative paths of settings start. Absolute. */
export interface SettingPlaces {
  readonly home: string;
  readonly projectRoot: string;
  readonly cwd: string;
}

/** The working directories that a layer adds, absolute. */
export function pathsIn({ source, settings }: SettingsLayer, places: SettingPlaces): readonly string[] {
  const { home, projectRoot, cwd } = places;
  const ofPerson = source === "userSettings" || source === "policySettings";
  const ofProject = source === "projectSettings" || source === "localSettings";
  const start = ofPerson ? home : ofProject ? projectRoot : cwd;
  const given = settings.permissions?.additionalDirectories ?? [];
  return given.map((path) => absolutePath(path, start, home));
}
