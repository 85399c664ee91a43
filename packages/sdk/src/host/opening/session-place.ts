import { resolve } from "node:path";
import { isDirectory, nodePlatform, type Platform } from "../../platform/index.ts";
import type { CompatHost } from "../../settings/index.ts";
import { findProjectRoot } from "../../workspace/index.ts";
import { badOption } from "../options/fault.ts";

/**
 * The directory that a session works in: its own on a resume, else what `options.cwd` says, else the process's.
 *
 * @param recorded the session's own; undefined for a new one.
 * @throws CastellanError `invalid_option` when the option names another than the session's, or no directory.
 */
export function sessionPlace(
  option: string | undefined,
  recorded: string | undefined,
  platform: Pick<Platform, "cwd" | "fs">,
): string {
  const asked = askedPlace(option, platform);
  if (recorded !== undefined && option !== undefined && asked !== recorded) {
    throw badOption(
      "cwd",
      `options.cwd is ${JSON.stringify(option)}, but the session works in ${recorded}.`,
      "Leave cwd out when you resume.",
    );
  }
  const cwd = recorded ?? asked;
  if (isDirectory(platform.fs, cwd)) return cwd;
  const subject =
    recorded === undefined ? `options.cwd is ${JSON.stringify(option ?? asked)}` : "The session's cwd";
  throw badOption("cwd", `${subject}: there is no directory ${cwd}.`, "Name a directory that exists.");
}

/** Absolute. */
export function askedPlace(option: string | undefined, platform: Pick<Platform, "cwd">): string {
  return resolve(platform.cwd(), option ?? "");
}

/** Where settings are read without a session. The paths are absolute. */
export interface SettingsPlaces {
  readonly platform: Platform;
  readonly cwd: string;
  readonly home: string;
  readonly projectRoot: string;
}

/**
 * The places that a session with these options would have.
 *
 * @throws CastellanError `invalid_option` when `cwd` is no directory.
 */
export function settingsPlaces(
  options: {
    readonly cwd?: string;
    /** Default: the home directory of the user. */
    readonly home?: string;
    readonly platform?: Partial<Platform> | undefined;
  },
  compat: readonly CompatHost[],
): SettingsPlaces {
  const platform = { ...nodePlatform(), ...options.platform };
  const cwd = sessionPlace(options.cwd, undefined, platform);
  const home = options.home === undefined ? platform.homedir() : resolve(cwd, options.home);
  return { platform, cwd, home, projectRoot: findProjectRoot(platform, cwd, home, compat) };
}
