import { PERMISSION_RULE_SOURCES } from "../../protocol/index.ts";
import type { SettingsLayer } from "../types.ts";

/** Layers with the highest authority first; of one source, as they were given. */
export function byAuthority(layers: readonly SettingsLayer[]): readonly SettingsLayer[] {
  const rank = ({ source }: SettingsLayer): number => PERMISSION_RULE_SOURCES.indexOf(source);
  return [...layers].sort((a, b) => rank(a) - rank(b));
}
