import { join } from "node:path";
import type { RuleSource } from "../protocol/index.ts";
import { COMPAT_HOSTS, type CompatHost, type SettingSource } from "./types.ts";

/** A settings file that a session may read. */
export interface FilePlace {
  readonly source: RuleSource;
  /** Absolute. */
  readonly file: string;
  readonly compat?: CompatHost;
}

export const POLICY_FOLDER = "/etc/castellan";

const SETTINGS = "settings.json";
const LOCAL = "settings.local.json";

/** The user's file. */
export const userFile = (home: string): string => join(home, ".castellan", SETTINGS);
/** The project's file, which is shared. */
export const projectFile = (root: string): string => join(root, ".castellan", SETTINGS);
/** The file beside it that is not shared. */
export const localFile = (root: string): string => join(root, ".castellan", LOCAL);

/**
 * The files of these sources, those with the highest authority first. The user's own folder is no project: where the
 * project root is the home, its `settings.json` is the user's alone.
 */
export function filePlaces(
  sources: readonly SettingSource[],
  compat: readonly CompatHost[],
  roots: { readonly home: string; readonly projectRoot: string; readonly isHome: boolean },
): readonly FilePlace[] {
  const { home, projectRoot, isHome } = roots;
  const hosts = COMPAT_HOSTS.filter((host) => compat.includes(host));
  const of = (source: RuleSource, root: string, name: string): FilePlace[] => [
    { source, file: join(root, ".castellan", name) },
    ...hosts.map((host): FilePlace => ({ source, file: join(root, `.${host}`, name), compat: host })),
  ];
  return [
    ...(sources.includes("local") ? of("localSettings", projectRoot, LOCAL) : []),
    ...(sources.includes("project") && !isHome ? of("projectSettings", projectRoot, SETTINGS) : []),
    ...(sources.includes("user") ? of("userSettings", home, SETTINGS) : []),
  ];
}
