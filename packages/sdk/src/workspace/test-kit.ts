import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Platform } from "../platform/index.ts";
import { createWorkspace, type Workspace } from "./index.ts";

// For tests: a real workspace over a directory of its own.

export interface ScratchWorkspace {
  /** The start directory, links followed. */
  readonly cwd: string;
  /** Counts as the home directory; it is not there. */
  readonly home: string;
  readonly workspace: Workspace;
  remove(): Promise<void>;
}

export async function scratchWorkspace(
  platform: Platform,
  additionalDirectories: () => readonly string[] = () => [],
): Promise<ScratchWorkspace> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "castellan-scratch-")));
  const home = join(cwd, "home");
  const workspace = await createWorkspace({ platform, startDirectory: cwd, home, additionalDirectories });
  return { cwd, home, workspace, remove: () => rm(cwd, { recursive: true, force: true }) };
}
