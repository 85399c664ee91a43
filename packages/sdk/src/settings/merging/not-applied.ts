import { isJsonObject } from "../../schema/index.ts";
import { findingAt } from "../place-of-key.ts";
import type { SettingsFinding, SettingsLayer } from "../types.ts";

const LATER: readonly (readonly [key: "hooks" | "sandbox" | "mcpServers", fix: string])[] = [
  ["hooks", "Give hooks as options.hooks."],
  ["sandbox", "Remove it, or run the program inside a sandbox of your own."],
  ["mcpServers", "Give servers as options.mcpServers."],
];

/** Keys that are well-formed and that no session of this release goes by, or not in this file. */
export function notApplied(layers: readonly SettingsLayer[]): readonly SettingsFinding[] {
  return layers.flatMap((layer) => [
    ...notHere(layer),
    ...LATER.filter(([key]) => says(layer.settings[key])).map(([key, fix]) =>
      findingAt(layer, [key], {
        code: "not-applied",
        severity: "warning",
        message: `${key} is not applied in this release.`,
        fix,
      }),
    ),
  ]);
}

/** The sessions of all projects lie together: one project's file does not have others' deleted. */
function notHere(layer: SettingsLayer): readonly SettingsFinding[] {
  if (!layer.ofProject || layer.settings.cleanupPeriodDays === undefined) return [];
  return [
    findingAt(layer, ["cleanupPeriodDays"], {
      code: "not-here",
      severity: "warning",
      message: "cleanupPeriodDays does not count in a project's file.",
      fix: "Write it into ~/.castellan/settings.json.",
    }),
  ];
}

function says(value: unknown): boolean {
  return value !== undefined && !(isJsonObject(value) && Object.keys(value).length === 0);
}
