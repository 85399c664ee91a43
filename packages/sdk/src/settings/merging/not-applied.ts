import { isJsonObject } from "../../schema/index.ts";
import { findingAt } from "../place-of-key.ts";
import type { SettingsFinding, SettingsLayer } from "../types.ts";

const LATER: readonly (readonly [
  key: "hooks" | "sandbox" | "mcpServers" | "cleanupPeriodDays",
  fix: string,
])[] = [
  ["hooks", "Give hooks as options.hooks."],
  ["sandbox", "Remove it, or run the program inside a sandbox of your own."],
  ["mcpServers", "Give servers as options.mcpServers."],
  ["cleanupPeriodDays", "Remove old sessions yourself."],
];

/** Keys that are well-formed and that no session of this release goes by. */
export function notApplied(layers: readonly SettingsLayer[]): readonly SettingsFinding[] {
  return layers.flatMap((layer) =>
    LATER.filter(([key]) => says(layer.settings[key])).map(([key, fix]) =>
      findingAt(layer, [key], {
        code: "not-applied",
        severity: "warning",
        message: `${key} is not applied in this release.`,
        fix,
      }),
    ),
  );
}

function says(value: unknown): boolean {
  return value !== undefined && !(isJsonObject(value) && Object.keys(value).length === 0);
}
