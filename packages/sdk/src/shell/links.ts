import type { ShellLink, ShellPath } from "../protocol/index.ts";
import { MAX_LINKS } from "./limits.ts";
import { mayMeet } from "./link-table.ts";
import { textOf } from "./path-text.ts";
import { placesOf } from "./places.ts";
import type { Walk } from "./walk-types.ts";
import type { Decoded } from "./words/decoded.ts";

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A path as it is judged with all links that the line may have made so far. */
export function withLinks(path: ShellPath, word: Decoded, walk: Walk): ShellPath {
  const { links } = walk;
  if (links.length === 0 && !walk.unpacked) return path;
  const text = textOf(word);
  if (text === undefined) return path;
  const linked: Writable<ShellPath> = links.length === 0 ? { ...path } : { ...path, links };
  // What was judged may not be what is opened.
  if (!walk.unpacked && !mayMeet(links, text, path.from)) return linked;
  linked.path = word.raw;
  linked.unknown = true;
  delete linked.glob;
  if (!word.glob) linked.maybe = placesOf(text, path.from) ?? [];
  return linked;
}

/** Judges a range of paths again, with what has turned up since. */
export function relink(walk: Walk, first: number, end: number = walk.paths.length): void {
  for (let at = first; at < end; at += 1) {
    const path = walk.paths[at];
    const word = walk.pathWords[at];
    if (path !== undefined && word !== undefined) walk.paths[at] = withLinks(path, word, walk);
  }
}

/** Past a number of places nothing is known of the rest. */
export function addLink(walk: Walk, link: ShellLink): void {
  if (walk.links.length < MAX_LINKS) {
    walk.links = [...walk.links, link];
    return;
  }
  walk.unpacked = true;
  walk.block("too-many-paths", link.path ?? "");
}
