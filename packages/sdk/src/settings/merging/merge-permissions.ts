import type { RuleSource, SettingPlace, SourcedRule } from "../../protocol/index.ts";
import { placeOfKey } from "../place-of-key.ts";
import type { Filling } from "../reading/draft.ts";
import type { MergedPermissions, SettingsFinding, SettingsLayer, SettingsSwitches } from "../types.ts";
import { byAuthority } from "./by-authority.ts";
import { pathsIn, type SettingPlaces } from "./directories.ts";
import { mergeMode } from "./merge-mode.ts";
import { rulesOf } from "./rules-of-layer.ts";
import { untrusted } from "./untrusted.ts";

/** Whether the workspace is trusted, and where paths start. */
export interface MergeOptions extends SettingPlaces {
  readonly trusted: boolean;
}

/**
 * What all layers together say about permissions. The order of the layers does not matter for rules; of single values
 * the layer with the highest authority decides, whatever order they are given in.
 *
 * @throws CastellanError `invalid_rule` for a rule object whose example fails, naming file, line and example.
 */
export function mergePermissions(layers: readonly SettingsLayer[], options: MergeOptions): MergedPermissions {
  const ordered = byAuthority(layers);
  const switches = switchesIn(ordered);
  const managedOnly = switches.managedRulesOnly;
  const findings: SettingsFinding[] = [];
  const rules: SourcedRule[] = [];
  const directories = new Map<string, RuleSource>();
  for (const layer of ordered) {
    const mayLoosen = options.trusted || !layer.ofProject;
    if (!mayLoosen) findings.push(...untrusted(layer));
    const only = managedOnly === undefined || layer.source === "policySettings";
    if (mayLoosen && !only) findings.push(...unmanaged(layer, managedOnly));
    rules.push(...rulesOf(layer, mayLoosen && only, options));
    if (!mayLoosen) continue;
    for (const path of pathsIn(layer, options)) {
      if (!directories.has(path)) directories.set(path, layer.source);
    }
  }
  const mode = mergeMode(ordered, options.trusted);
  return {
    rules,
    directories: [...directories],
    ...(mode.defaultMode === undefined ? {} : { defaultMode: mode.defaultMode }),
    ...switches,
    findings: [...findings, ...mode.findings],
  };
}

/** Switches and their keys in settings. Any layer may set them, but for the last one. */
export const SWITCHED = [
  ["disableBypass", "disableBypassPermissionsMode"],
  ["disableAuto", "disableAutoMode"],
  ["denyInsteadOfPrompting", "denyInsteadOfPrompting"],
  ["blockReadsOutside", "blockReadsOutsideWorkingDirectories"],
  ["blockWritesOutside", "blockWritesOutsideWorkingDirectories"],
  ["managedRulesOnly", "allowManagedPermissionRulesOnly"],
] as const;

function switchesIn(layers: readonly SettingsLayer[]): Pick<MergedPermissions, (typeof SWITCHED)[number][0]> {
  const found: Filling<ReturnType<typeof switchesIn>> = {};
  for (const [name, key] of SWITCHED) {
    const place = switchOf(layers, key);
    if (place !== undefined) found[name] = place;
  }
  return found;
}

/** The first layer that sets a switch. None lifts what another sets. */
function switchOf(layers: readonly SettingsLayer[], key: keyof SettingsSwitches): SettingPlace | undefined {
  for (const layer of layers) {
    const { settings, source } = layer;
    if (key === "allowManagedPermissionRulesOnly" && source !== "policySettings") continue;
    if (isSet(settings[key])) return placeOfKey(layer, [key]);
    if (isSet(settings.permissions?.[key])) return placeOfKey(layer, ["permissions", key]);
  }
  return undefined;
}

function isSet(value: boolean | "disable" | undefined): boolean {
  return value === true || value === "disable";
}

function unmanaged(layer: SettingsLayer, by: SettingPlace | undefined): SettingsFinding[] {
  const { allow = [], rules = [] } = layer.settings.permissions ?? {};
  const count = allow.length + rules.filter(({ behavior }) => behavior === "allow").length;
  if (count === 0) return [];
  const { source, file } = layer;
  const place = [by?.file, by?.position === undefined ? undefined : `line ${by.position}`]
    .filter(Boolean)
    .join(", ");
  const what = count === 1 ? "1 allow rule does" : `${count} allow rules do`;
  return [
    {
      code: "managed-only",
      severity: "warning",
      source,
      file,
      key: "permissions.allow",
      message: `${what} not count: allowManagedPermissionRulesOnly (${place}) leaves those of the machine's policy alone.`,
    },
  ];
}
