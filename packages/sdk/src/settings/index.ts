export { type EditedRules, editRules, type RuleEdit } from "./edit-rules.ts";
export { effectiveSettings } from "./effective.ts";
export { RULE_LISTS } from "./known-keys.ts";
export type { LayerInput, ReadLayer } from "./layer-of.ts";
export { layerOf } from "./layer-of.ts";
export { hasMachinePolicy } from "./machine-policy.ts";
export type { MergeOptions } from "./merge-permissions.ts";
export { mergePermissions } from "./merge-permissions.ts";
export type { MergedValues, PlacedValue } from "./merge-values.ts";
export { mergeValues } from "./merge-values.ts";
export { notApplied } from "./not-applied.ts";
export type { ReadOptions } from "./read-settings.ts";
export { readFlag, readSettings } from "./read-settings.ts";
export { removeRule } from "./remove-rule.ts";
export { swapFile } from "./swap-file.ts";
export type { TrustPlace } from "./trust.ts";
export { isTrusted, trust, trustFile, untrust } from "./trust.ts";
export type {
  CompatHost,
  MergedPermissions,
  PermissionSettings,
  ResolvedSettings,
  RuleObject,
  SettingSource,
  Settings,
  SettingsFinding,
  SettingsLayer,
  SettingsRead,
  SettingsSourceRead,
  SettingsSwitches,
} from "./types.ts";
export { COMPAT_HOSTS, SETTING_SOURCES } from "./types.ts";
export type { WritePlaces, WrittenUpdates } from "./write-updates.ts";
export { writeUpdates } from "./write-updates.ts";
