import { basename, dirname, join } from "node:path";
import type { Platform } from "../../platform/index.ts";
import type { PathResolution, ResolvedPathTarget, ResolvedTarget } from "../../protocol/index.ts";
import { matchNames } from "../search/match-glob.ts";

/** A place that a command line may change: the path itself, with `tree` all that lies in it. */
export interface LinePlace {
  readonly path: string;
  readonly tree: boolean;
}

/** Programs that put their sources into a folder that is there, each under its own name. */
const PUT_INTO = new Set(["cp", "mv", "ln", "install", "rsync"]);
const MOST_MATCHES = 2_000;

/** What the known writers and redirects of a judged line touch. What the analysis cannot name is not among it. */
export async function placesOfLine(
  platform: Platform,
  targets: readonly ResolvedTarget[],
): Promise<LinePlace[]> {
  const places = new Map<string, LinePlace>();
  const add = (path: string, tree: boolean): void => {
    if (places.get(path)?.tree !== true) places.set(path, { path, tree });
  };
  for (const target of targets) {
    if (target.kind !== "path" || target.unknown === true) continue;
    if (target.access !== "write" && target.access !== "remove") continue;
    for (const resolution of target.resolutions) {
      for (const path of await namesOf(platform, target, resolution)) {
        await addName(platform, target, path, targets, add);
      }
    }
  }
  return [...places.values()];
}

async function addName(
  platform: Platform,
  target: ResolvedPathTarget,
  path: string,
  targets: readonly ResolvedTarget[],
  add: (path: string, tree: boolean) => void,
): Promise<void> {
  const { fs } = platform;
  const itself = join(await realOf(platform, dirname(path)), basename(path));
  // `rm`, `mv` and `ln` change the link that stands there, other writers what it leads to.
  const removed = target.access === "remove";
  add(itself, removed);
  if (removed) return;
  const real = await realOf(platform, path);
  const stats = await fs.stat(real).catch(() => undefined);
  // All that a line leaves where nothing was is of its making.
  if (stats === undefined) return add(real, true);
  if (!stats.isDirectory()) return add(real, false);
  if (!putsInto(target, targets)) return add(real, target.recursive === true);
  for (const source of targets) {
    if (source === target || source.kind !== "path" || source.shell?.command !== target.shell?.command)
      continue;
    for (const { given } of source.resolutions) add(join(real, basename(given)), true);
  }
}

function putsInto({ shell }: ResolvedPathTarget, targets: readonly ResolvedTarget[]): boolean {
  const owner = targets.find((each) => each.kind === "command" && each.command === shell?.command);
  if (owner?.kind !== "command") return false;
  const word = owner.analysis.commands[owner.command]?.words[0]?.value ?? "";
  return PUT_INTO.has(basename(word));
}

/** The names that a target stands for: itself, or what its pattern finds now. */
async function namesOf(
  platform: Platform,
  target: ResolvedPathTarget,
  resolution: PathResolution,
): Promise<readonly string[]> {
  if (target.glob !== true) return [resolution.given];
  const parts = target.path.split("/");
  const from = parts.findIndex((part) => /[*?[]/.test(part));
  let found = [resolution.given];
  for (const part of from === -1 ? [] : parts.slice(from)) {
    const test = part.startsWith(".") ? matchNames(part) : hiddenless(part);
    const next: string[] = [];
    for (const folder of found) {
      const names = await platform.fs.readdir(folder).catch(() => []);
      for (const name of names) if (test(name) && next.length < MOST_MATCHES) next.push(join(folder, name));
    }
    found = next;
  }
  return found;
}

function hiddenless(part: string): (name: string) => boolean {
  const test = matchNames(part);
  return (name) => !name.startsWith(".") && test(name);
}

/** Links followed, through the deepest folder that is there. */
async function realOf({ fs }: Platform, path: string): Promise<string> {
  for (let at = path, rest = ""; ; ) {
    const real = await fs.realpath(at).catch(() => undefined);
    if (real !== undefined) return rest === "" ? real : join(real, rest);
    const up = dirname(at);
    if (up === at) return path;
    rest = rest === "" ? basename(at) : join(basename(at), rest);
    at = up;
  }
}
