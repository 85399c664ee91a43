import type { Platform } from "../platform/index.ts";
import type { PathLibrary } from "./path-rules.ts";
import { type Place, placeNow } from "./working-directories.ts";

/** What was found last for a host's list of names: its sessions hold the same places as long as they lie the same. */
const lately = new WeakMap<readonly string[], readonly Place[]>();

/**
 * Where the stores' files and folders lie now.
 *
 * @param names absolute; one list for all sessions of a host. @param base the start directory.
 */
export async function keptPlaces(
  platform: Platform,
  library: PathLibrary,
  names: readonly string[],
  base: string,
): Promise<readonly Place[]> {
  const now = await Promise.all(names.map((name) => placeNow(platform, library, name, base)));
  const before = lately.get(names);
  if (before?.every((place, i) => isSame(place, now[i])) === true) return before;
  lately.set(names, now);
  return now;
}

function isSame(one: Place, other: Place | undefined): boolean {
  return (
    one.real === other?.real &&
    one.hops.length === other.hops.length &&
    one.hops.every((hop, i) => hop === other.hops[i])
  );
}
