export { RULE_LISTS } from "./known-keys.ts";
export { hasMachinePolicy } from "./machine-policy.ts";
export { absentDirectories } from "./merging/directories.ts";
export { effectiveSettings } from "./merging/effective.ts";
export type { MergeOptions } from "./merging/merge-permissions.ts";
export { mergePermissions } from "./merging/merge-permissions.ts";
export type { MergedValues, PlacedValue } from "./merging/merge-values.ts";
export { mergeValues } from "./merging/merge-values.ts";
export { notApplied } from "./merging/not-applied.ts";
export { failingIn } from "./merging/rules-of-layer.ts";
export type { LayerInput, ReadLayer } from "./reading/layer-of.ts";
export { layerOf } from "./reading/layer-of.ts";
export type { ReadOptions } from "./reading/read-settings.ts";
export { readFlag, readSettings } from "./reading/read-settings.ts";
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
export { changeFile } from "./writing/change-file.ts";
export { type EditedRules, editRules, type RuleEdit } from "./writing/edit-rules.ts";
export { notChanged } from "./writing/not-changed.ts";
export { removeRule } from "./writing/remove-rule.ts";
export type { WritePlaces, WrittenUpdates } from "./writing/write-updates.ts";
export { writeUpdates } from "./writing/write-updates.ts";
