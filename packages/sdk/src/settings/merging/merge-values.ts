import type { SettingPlace } from "../../protocol/index.ts";
import { placeOfKey } from "../place-of-key.ts";
import type { SettingsLayer } from "../types.ts";
import { byAuthority } from "./by-authority.ts";

/** A single value and where it was set. */
export interface PlacedValue {
  readonly value: string;
  readonly from: SettingPlace;
}

/** What settings say beside permissions, as far as it may count. */
export interface MergedValues {
  readonly model?: PlacedValue;
  /** By the name of the variable. */
  readonly env: ReadonlyMap<string, PlacedValue>;
  readonly cleanup?: PlacedDays;
}

/** `cleanupPeriodDays`, and where it was set. */
export interface PlacedDays {
  readonly value: number;
  readonly from: SettingPlace;
}

/**
 * Model and environment: each by the layer with the highest authority that sets it. Those of an untrusted project do not count,
 * and no project says what becomes of the sessions of others.
 */
export function mergeValues(
  layers: readonly SettingsLayer[],
  { trusted }: { readonly trusted: boolean },
): MergedValues {
  const env = new Map<string, PlacedValue>();
  let model: PlacedValue | undefined;
  let cleanup: PlacedDays | undefined;
  for (const layer of byAuthority(layers)) {
    if (layer.ofProject && !trusted) continue;
    const { settings } = layer;
    // What another host is to keep says nothing about these sessions.
    const isOwn = !layer.ofProject && layer.compat === undefined;
    const days = isOwn ? settings.cleanupPeriodDays : undefined;
    if (days !== undefined) cleanup ??= { value: days, from: placeOfKey(layer, ["cleanupPeriodDays"]) };
    if (settings.model !== undefined) model ??= { value: settings.model, from: placeOfKey(layer, ["model"]) };
    for (const [name, value] of Object.entries(settings.env ?? {})) {
      if (!env.has(name)) env.set(name, { value, from: placeOfKey(layer, ["env", name]) });
    }
  }
  return {
    ...(model === undefined ? {} : { model }),
    ...(cleanup === undefined ? {} : { cleanup }),
    env,
  };
}
