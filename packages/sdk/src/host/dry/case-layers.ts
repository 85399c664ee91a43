import { layerOf, type SettingsLayer } from "../../settings/index.ts";
import { malformed } from "./read-case.ts";
import type { CaseSettings } from "./types.ts";

const LAYERS = [
  ["policy", "policySettings"],
  ["flag", "flagSettings"],
  ["local", "localSettings"],
  ["project", "projectSettings"],
  ["user", "userSettings"],
] as const;

/**
 * The settings of a case as the layers of a session.
 *
 * @throws CastellanError `invalid_option` for a key that settings do not have, a value of the wrong type: a case that
 * does not say what its author means proves nothing. `invalid_settings` as `layerOf`.
 */
export function caseLayers(settings: CaseSettings, where: string): readonly SettingsLayer[] {
  return LAYERS.flatMap(([name, source]) => {
    const value = settings[name];
    if (value === undefined) return [];
    const { layer, findings } = layerOf({ source, file: `settings.${name}`, value });
    const wrong = findings.find(({ severity }) => severity !== "info");
    if (wrong === undefined) return [layer];
    const key = wrong.key === undefined ? "" : `.${wrong.key}`;
    const what = `settings.${name}${key}: ${wrong.message.replace(/\.$/, "")}`;
    throw malformed(where, what, wrong.fix ?? "Mend the settings of the case.");
  });
}
