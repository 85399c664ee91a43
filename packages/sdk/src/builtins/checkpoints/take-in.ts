import { join } from "node:path";
import type { Platform } from "../../platform/index.ts";
import type { FileMark } from "../../protocol/index.ts";
import type { LinePlace } from "./line-places.ts";
import { lookAt, MOST_KEPT_BYTES } from "./look-at.ts";

/** Paths and bytes of one command line that a checkpoint keeps. */
export const MOST_PATHS = 2_000;

export interface TakenIn {
  readonly marks: ReadonlyMap<string, FileMark>;
  /** Places of which something was left out, since they hold too much. */
  readonly cut: readonly string[];
}

/**
 * What stands at each place, and in it. Folders come before what they hold.
 *
 * @param keep stores the bytes of a file; rejects where they cannot be stored.
 */
export async function takeIn(
  platform: Platform,
  places: readonly LinePlace[],
  keep: (bytes: Uint8Array) => Promise<unknown>,
): Promise<TakenIn> {
  const marks = new Map<string, FileMark>();
  const cut = new Set<string>();
  let bytesLeft = MOST_KEPT_BYTES;

  async function take(path: string, tree: boolean, place: string): Promise<void> {
    if (marks.has(path) && !tree) return;
    if (marks.size >= MOST_PATHS) {
      cut.add(place);
      return;
    }
    const { mark, bytes } = await lookAt(platform, path, Math.min(MOST_KEPT_BYTES, bytesLeft));
    if (mark === undefined) return;
    marks.set(path, mark);
    if (bytes !== undefined) {
      await keep(bytes);
      bytesLeft -= bytes.length;
    }
    if (mark.kind !== "directory" || !tree) return;
    const names = await platform.fs.readdir(path).catch(() => []);
    for (const name of names.sort()) await take(join(path, name), true, place);
  }

  for (const { path, tree } of places) await take(path, tree, path);
  for (const path of cut) {
    const mark = marks.get(path);
    if (mark === undefined || mark.kind === "directory") marks.set(path, { kind: "unkept", why: "too_many" });
  }
  return { marks, cut: [...cut] };
}
