import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { nodePlatform, type Platform } from "../platform/index.ts";
import { type ReadOptions, readSettings } from "./reading/read-settings.ts";
import type { SettingsRead } from "./types.ts";

// For tests: a home, a project and a machine's policy in a folder of their own.

export interface SettingsKit {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** `/etc/castellan` is `<root>/etc/castellan` to it. */
  readonly platform: Platform;
  /** Writes a file below the root; gives its path. */
  put(path: string, text: string | Uint8Array): Promise<string>;
  read(over?: Partial<ReadOptions>): Promise<SettingsRead>;
  remove(): Promise<void>;
}

export async function settingsKit(): Promise<SettingsKit> {
  const root = await mkdtemp(join(tmpdir(), "castellan-settings-"));
  const home = join(root, "home");
  const project = join(root, "w/proj");
  await mkdir(home, { recursive: true });
  await mkdir(join(project, ".castellan"), { recursive: true });
  const platform = underRoot(nodePlatform(), root);
  return {
    root,
    home,
    project,
    platform,
    async put(path, text) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    read: (over = {}) =>
      readSettings({
        platform,
        cwd: project,
        home,
        projectRoot: project,
        sources: ["user", "project", "local"],
        compat: [],
        ...over,
      }),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Paths in the machine's folder lead below `root`; all else is the real disk. */
function underRoot(platform: Platform, root: string): Platform {
  const fs = new Proxy(platform.fs, {
    get(target, name) {
      const call = target[name as keyof typeof target] as (...args: unknown[]) => unknown;
      return (path: unknown, ...rest: unknown[]) =>
        call(typeof path === "string" && path.startsWith("/etc/castellan") ? root + path : path, ...rest);
    },
  });
  return { ...platform, fs };
}
