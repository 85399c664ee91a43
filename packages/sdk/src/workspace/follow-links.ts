import type { Stats } from "node:fs";
import type { Platform } from "../platform/index.ts";
import { isFreeDevice } from "../protocol/index.ts";
import { namesOf, type PathLibrary } from "./path-rules.ts";

/** As the kernel counts. */
const MOST_LINKS = 40;

export interface Followed {
  /** Absent when the way could not be followed to its end. */
  readonly real?: string;
  /** Each form of the whole path on the way, lexically clean. */
  readonly hops: readonly string[];
  /** Of `real`; absent when nothing stands there. */
  readonly stats?: Stats;
  readonly exists: boolean;
}

/**
 * Follows an absolute path part by part, as the kernel does: `..` after links. Where nothing stands,
 * the rest is taken as written.
 *
 * @param path absolute, may hold `..`.
 * @param selfCwd what `/proc/self/cwd` means: the directory in which the call starts.
 */
export async function followLinks(
  platform: Pick<Platform, "fs" | "os" | "pid">,
  library: PathLibrary,
  path: string,
  selfCwd: string,
): Promise<Followed> {
  const hops = new Set<string>();
  const rest = namesOf(library, path).reverse();
  let current = library.parse(path).root || library.sep;
  let stats: Stats | undefined;
  let links = 0;
  let missing = 0;

  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === "..") {
      current = library.dirname(current);
      if (missing > 0) missing--;
      stats = undefined;
      continue;
    }
    const next = library.join(current, name);
    if (missing > 0) {
      missing++;
      current = next;
      continue;
    }
    // These lead to whatever the asking process has open, which is not the process that will run.
    if (rest.length < 2 && next.startsWith("/dev/") && isFreeDevice(whole(next))) {
      return { real: whole(next), hops: [...hops], exists: true };
    }
    if (platform.os === "linux" && isOpenFile(next)) return { hops: [...hops, whole(next)], exists: false };

    const found = await lookAt(platform, next);
    if (found === "unknown") return { hops: [...hops], exists: false };
    stats = found === "missing" ? undefined : found;
    if (found === "missing") missing++;
    if (stats?.isSymbolicLink() !== true) {
      current = next;
      continue;
    }
    if (++links > MOST_LINKS) return { hops: [...hops], exists: false };
    const target = isOwnCwd(platform, next) ? selfCwd : await readLink(platform, next);
    if (target === undefined) return { hops: [...hops], exists: false };
    hops.add(whole(next));
    hops.add(whole(library.resolve(current, target)));
    if (library.isAbsolute(target)) current = library.parse(library.resolve(current, target)).root;
    rest.push(...namesOf(library, target).reverse());
    stats = undefined;
  }

  if (missing > 0) return { real: current, hops: [...hops], exists: false };
  if (stats === undefined) {
    const found = await lookAt(platform, current);
    if (found === "unknown") return { hops: [...hops], exists: false };
    if (found === "missing") return { real: current, hops: [...hops], exists: false };
    stats = found;
  }
  return { real: current, hops: [...hops], stats, exists: true };

  function whole(start: string): string {
    return library.join(start, ...rest.toReversed());
  }
}

async function lookAt(platform: Pick<Platform, "fs">, path: string): Promise<Stats | "missing" | "unknown"> {
  try {
    return await platform.fs.lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unknown";
  }
}

async function readLink(platform: Pick<Platform, "fs">, path: string): Promise<string | undefined> {
  try {
    return await platform.fs.readlink(path);
  } catch {
    return undefined;
  }
}

function isOpenFile(path: string): boolean {
  return /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:fd|map_files)\/[^/]+$/.test(path);
}

function isOwnCwd(platform: Pick<Platform, "os" | "pid">, path: string): boolean {
  if (platform.os !== "linux") return false;
  return new RegExp(`^/proc/${platform.pid}/(?:task/[^/]+/)?cwd$`).test(path);
}
