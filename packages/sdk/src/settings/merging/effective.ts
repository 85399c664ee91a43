import type { SettingPlace } from "../../protocol/index.ts";
import { RULE_LISTS } from "../known-keys.ts";
import type { Filling } from "../reading/draft.ts";
import type { MergedPermissions, ResolvedSettings, Settings, SettingsRead } from "../types.ts";
import { type MergeOptions, mergePermissions, SWITCHED } from "./merge-permissions.ts";
import { mergeValues } from "./merge-values.ts";
import { notApplied } from "./not-applied.ts";

/**
 * What the settings come to, and where each value was set.
 *
 * @throws CastellanError as `mergePermissions`
 */
export function effectiveSettings(read: SettingsRead, options: MergeOptions): ResolvedSettings {
  const merged = mergePermissions(read.layers, options);
  const { model, env, cleanup } = mergeValues(read.layers, options);
  const provenance: Record<string, readonly SettingPlace[]> = {};
  const effective: Filling<Settings> = {};
  const permissions: Filling<NonNullable<Settings["permissions"]>> = {};
  for (const key of RULE_LISTS) {
    const rules = merged.rules.filter(({ behavior }) => behavior === key);
    if (rules.length === 0) continue;
    permissions[key] = rules.map(({ text }) => text);
    provenance[`permissions.${key}`] = rules.map(placeOfRule);
  }
  if (merged.defaultMode !== undefined) {
    permissions.defaultMode = merged.defaultMode.mode;
    provenance["permissions.defaultMode"] = [merged.defaultMode.from];
  }
  if (merged.directories.length > 0) {
    permissions.additionalDirectories = merged.directories.map(([path]) => path);
    provenance["permissions.additionalDirectories"] = merged.directories.map(([, source]) => ({ source }));
  }
  for (const [key, name] of SWITCHED) {
    const place = merged[key];
    if (place === undefined) continue;
    effective[name] = true;
    provenance[name] = [place];
  }
  if (Object.keys(permissions).length > 0) effective.permissions = permissions;
  if (model !== undefined) {
    effective.model = model.value;
    provenance.model = [model.from];
  }
  if (cleanup !== undefined) {
    effective.cleanupPeriodDays = cleanup.value;
    provenance.cleanupPeriodDays = [cleanup.from];
  }
  if (env.size > 0) effective.env = Object.fromEntries([...env].map(([name, { value }]) => [name, value]));
  for (const [name, { from }] of env) provenance[`env.${name}`] = [from];
  const applied = read.layers.filter(({ ofProject }) => options.trusted || !ofProject);
  return {
    effective,
    provenance,
    sources: read.layers.map(({ source, file, compat, ofProject }) => ({
      source,
      file,
      ...(compat === undefined ? {} : { compat }),
      tightensOnly: ofProject && !options.trusted,
    })),
    findings: [...read.findings, ...merged.findings, ...notApplied(applied)],
    ...(read.broken === undefined ? {} : { broken: read.broken }),
  };
}

function placeOfRule({ source, file, position }: MergedPermissions["rules"][number]): SettingPlace {
  return { source, ...(file === undefined ? {} : { file }), ...(position === undefined ? {} : { position }) };
}
