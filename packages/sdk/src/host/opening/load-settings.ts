import {
  absentDirectories,
  isTrusted,
  layerOf,
  mergePermissions,
  mergeValues,
  notApplied,
  readSettings,
  type SettingsLayer,
} from "../../settings/index.ts";
import { findProjectRoot } from "../../workspace/index.ts";
import type { Options } from "../options/types.ts";
import { sessionHome } from "./child-env.ts";
import { environmentOf } from "./environment-of.ts";
import type { SessionSettings, SettingsParts } from "./settings-parts.ts";

/** The part of `sessionSettings()` that is loaded when there is something to read. */
export async function loadSettings(parts: SettingsParts): Promise<SessionSettings> {
  const { options, platform, cwd } = parts;
  const { settingSources: sources = [], compat = [], settings, managedSettings, permissionRules } = options;
  const person = platform.homedir();
  const projectRoot = findProjectRoot(platform, cwd, person, compat);
  const managed = [
    ...(parts.policy === undefined ? [] : [{ file: "policy", value: parts.policy }]),
    ...(managedSettings === undefined ? [] : [{ file: "managedSettings", value: managedSettings }]),
  ];
  const places = { platform, cwd, home: person, projectRoot };
  const read = await readSettings({ ...places, sources, compat, flag: settings, managed });
  // No file of the user is looked at where none is asked for.
  const recorded = sources.length > 0 && options.trustWorkspace === undefined;
  const trusted = recorded ? await isTrusted(places) : options.trustWorkspace === true;
  const layers = [...read.layers, ...ruleLayer(permissionRules)];
  const values = mergeValues(layers, { trusted });
  const env = environmentOf(values, options.env);
  const home = sessionHome(platform, env);
  const merged = mergePermissions(layers, { trusted, home: home.home, projectRoot, cwd });
  const applied = layers.filter(({ ofProject }) => trusted || !ofProject);
  return {
    merged,
    values,
    flag: read.layers.find(({ source }) => source === "flagSettings")?.settings ?? {},
    broken: read.broken,
    findings: [
      ...read.findings,
      ...merged.findings,
      ...absentDirectories(platform, layers, { ...places, home: home.home, trusted }),
      ...notApplied(applied),
    ],
    trusted,
    projectRoot,
    home,
    env,
  };
}

/** The option `permissionRules`, as a layer beside the option `settings`. */
function ruleLayer(rules: Options["permissionRules"]): SettingsLayer[] {
  if (rules === undefined) return [];
  const value = { permissions: { rules } };
  return [layerOf({ source: "flagSettings", file: "permissionRules", value }).layer];
}
