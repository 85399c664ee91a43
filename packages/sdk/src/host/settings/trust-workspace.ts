import { COMPAT_HOSTS, type CompatHost, trust, trustFile, untrust } from "../../settings/index.ts";
import { settingsPlaces } from "../opening/session-place.ts";
import { checkKeys } from "../options/check-keys.ts";
import { flag, text } from "../options/checks.ts";
import type { Check } from "../options/fault.ts";
import { compat } from "../options/settings-checks.ts";
import { platformCheck } from "../options/table.ts";
import type { Options } from "../options/types.ts";

/** Which workspace, and whether to trust it or no longer. */
export interface TrustOptions {
  /** A folder of the workspace. Default: the process's own. */
  readonly cwd?: string;
  /** Hosts whose folders mark a workspace as well; as in the sessions that it is for. Default both. */
  readonly compat?: readonly CompatHost[];
  /** Takes the trust back. Default false. */
  readonly remove?: boolean;
  readonly platform?: Options["platform"];
}

/** What came of it. */
export interface TrustResult {
  /** The root of the workspace: what is trusted, absolute. */
  readonly workspace: string;
  readonly trusted: boolean;
  /** False where it was so before. */
  readonly changed: boolean;
  /** The record, absolute. */
  readonly file: string;
}

const CHECKS: { readonly [K in keyof Required<TrustOptions>]: Check } = {
  cwd: text,
  compat,
  remove: flag,
  platform: platformCheck,
};

/** As its door in ../settings-runs.ts says. */
export async function trustWorkspace(options: TrustOptions = {}): Promise<TrustResult> {
  checkKeys(options, CHECKS);
  const places = settingsPlaces(options, options.compat ?? COMPAT_HOSTS);
  const isWanted = options.remove !== true;
  const changed = isWanted ? await trust(places) : await untrust(places);
  return { workspace: places.projectRoot, trusted: isWanted, changed, file: trustFile(places.home) };
}
