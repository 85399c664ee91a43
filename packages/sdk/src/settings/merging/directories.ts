import { absolutePath, isDirectory, type Platform } from "../../platform/index.ts";
import { findingAt } from "../place-of-key.ts";
import type { SettingsFinding, SettingsLayer } from "../types.ts";

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

/** Directories of layers that count and that are not there: most are slips of the pen. Looks at the disk. */
export function absentDirectories(
  { fs }: Pick<Platform, "fs">,
  layers: readonly SettingsLayer[],
  places: SettingPlaces & { readonly trusted: boolean },
): readonly SettingsFinding[] {
  return layers.flatMap((layer) => {
    if (layer.ofProject && !places.trusted) return [];
    return pathsIn(layer, places).flatMap((path, index) => {
      if (isDirectory(fs, path)) return [];
      return findingAt(layer, ["permissions", "additionalDirectories", index], {
        code: "no-directory",
        severity: "warning",
        message: absentText(path),
        fix: "Make it, or mend the path.",
      });
    });
  });
}

function absentText(path: string): string {
  return `There is no directory ${path}: it adds nothing until there is one.`;
}
