import type { Platform } from "../../platform/index.ts";
import type { MayRead } from "../../protocol/index.ts";
import { createWalk, type Walk, type WalkEntry } from "../../workspace/index.ts";
import type { JudgedPath } from "../files/judged-path.ts";

export interface TreeOptions {
  readonly hidden: boolean;
  readonly mayRead: MayRead;
  readonly signal: AbortSignal;
}

/** Folders whose content is version control data: looked into only when they are the root. */
export const VERSION_CONTROL: readonly string[] = [".git", ".hg", ".svn", ".jj"];

// One walker a platform: it keeps the ignore files that it has read.
const walks = new WeakMap<Platform, Walk>();

/** Walks what lies below a judged directory, without what ignore files name and what may not be read. */
export function listTree(
  platform: Platform,
  root: JudgedPath,
  options: TreeOptions,
): AsyncGenerator<WalkEntry, void, undefined> {
  const walk = walks.get(platform) ?? createWalk(platform);
  walks.set(platform, walk);
  return walk({ root: { given: root.given, real: root.real }, ...options });
}

/** Whether a path goes through a folder of version control data. */
export function isVersionControl(relativePath: string): boolean {
  return relativePath.split("/").some((part) => VERSION_CONTROL.includes(part));
}
