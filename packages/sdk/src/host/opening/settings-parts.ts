import type { Platform } from "../../platform/index.ts";
import type { MergedPermissions, MergedValues, Settings, SettingsFinding } from "../../settings/index.ts";
import type { Options } from "../options/types.ts";
import type { SessionHome } from "./child-env.ts";

/** Settings as they hold for one session, read once. */
export interface SessionSettings {
  readonly merged: MergedPermissions;
  readonly values: MergedValues;
  /** The flag layer alone: the option `settings`. */
  readonly flag: Settings;
  readonly broken: string | undefined;
  readonly findings: readonly SettingsFinding[];
  readonly trusted: boolean;
  /** Absolute. */
  readonly projectRoot: string;
  readonly home: SessionHome;
  /** What settings and `options.env` add to the environment of tools; the option wins. */
  readonly env: Options["env"];
}

/** What settings are read for. */
export interface SettingsParts {
  readonly options: Options;
  /** `policy` of the host. */
  readonly policy: Settings | undefined;
  readonly platform: Platform;
  readonly cwd: string;
}
