import { normaliseMode } from "../../permissions/index.ts";
import { findingAt, placeOfKey } from "../place-of-key.ts";
import type { MergedPermissions, SettingsFinding, SettingsLayer } from "../types.ts";

const KEY = ["permissions", "defaultMode"];

/** The first layer that may set the mode and does. Files of a project never give `bypassPermissions`. */
export function mergeMode(
  layers: readonly SettingsLayer[],
  trusted: boolean,
): Pick<MergedPermissions, "defaultMode" | "findings"> {
  const findings: SettingsFinding[] = [];
  for (const layer of layers) {
    const named = layer.settings.permissions?.defaultMode;
    const mode = named === undefined ? undefined : normaliseMode(named);
    if (mode === undefined || (layer.ofProject && !trusted)) continue;
    if (layer.ofProject && mode === "bypassPermissions") {
      findings.push(
        findingAt(layer, KEY, {
          code: "not-here",
          severity: "error",
          message: "A project's file never gives bypassPermissions: this counts for nothing.",
          fix: "Remove it here.",
        }),
      );
      continue;
    }
    return { defaultMode: { mode, from: placeOfKey(layer, KEY) }, findings };
  }
  return { findings };
}
