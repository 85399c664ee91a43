import type { PermissionContext, PermissionMode, SettingPlace } from "../protocol/index.ts";

/**
 * The mode under the switches of settings: a disabled bypass counts as `default`, and "deny instead of prompting" is
 * `dontAsk`; in plan mode, whose ceiling must stay, its questions become refusals.
 *
 * @param isBypassWished the danger flag was given.
 */
export function modeUnder(
  wished: PermissionMode,
  switches: {
    readonly disableBypass?: SettingPlace;
    readonly denyInsteadOfPrompting?: SettingPlace;
  },
  isBypassWished: boolean,
): Pick<PermissionContext, "mode" | "isBypassAvailable" | "denyInsteadOfPrompting"> {
  const { disableBypass, denyInsteadOfPrompting } = switches;
  const isBypassAvailable = isBypassWished && disableBypass === undefined;
  const possible = wished === "bypassPermissions" && !isBypassAvailable ? "default" : wished;
  if (denyInsteadOfPrompting === undefined) return { mode: possible, isBypassAvailable };
  return { mode: possible === "plan" ? "plan" : "dontAsk", isBypassAvailable, denyInsteadOfPrompting };
}
