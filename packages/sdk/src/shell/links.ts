import type { ShellLink, ShellPath } from "../protocol/index.ts";
import { MAX_LINKS } from "./limits.ts";
import type { PathWord, Walk } from "./walk-types.ts";

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A path as it is judged with all links that the line may have made so far. */
export function withLinks(path: ShellPath, word: PathWord, walk: Walk): ShellPath {
  const { links } = walk;
  const { text } = word;
  if (text === undefined || (links.length === 0 && !walk.unpacked)) return path;
  const linked: Writable<ShellPath> = links.length === 0 ? { ...path } : { ...path, links };
  // What was judged may not be what is opened.
  if (!walk.unpacked && !links.some((link) => overlap(link, path, text))) return linked;
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

/** The path from where the line starts, for each directory that it may start in. Undefined: not known. */
export function placesOf(text: string, from: readonly string[]): readonly string[];
export function placesOf(text: string, from: readonly string[] | undefined): readonly string[] | undefined;
export function placesOf(text: string, from: readonly string[] | undefined): readonly string[] | undefined {
  if (isWhole(text)) return [text];
  return from?.map((base) => (base === "" ? text : `${base}/${text}`));
}

/** Not relative to any directory. */
export function isWhole(path: string): boolean {
  return /^(?:\/|~(?:\/|$))/.test(path);
}

function overlap(link: ShellLink, path: ShellPath, text: string): boolean {
  if (link.path === undefined) return true;
  const own = placesOf(text, path.from);
  const others = placesOf(link.path, link.from);
  // Where one of the directories is not known, they count as the same.
  if (own === undefined || others === undefined) return overlaps(link.path, text);
  return others.some((other) => own.some((each) => overlaps(other, each)));
}

const PLAIN = /^[\w-]+$/;

function overlaps(link: string, path: string): boolean {
  if (PLAIN.test(link) && PLAIN.test(path)) return link.toLowerCase() === path.toLowerCase();
  if (/(?:^|\/)\.\.(?:\/|$)/.test(path) || /(?:^|\/)\.\.(?:\/|$)/.test(link)) return true;
  if (/^[/~]/.test(link) !== /^[/~]/.test(path)) return true;
  const a = tidy(link);
  const b = tidy(path);
  return a === "" || a === b || b.startsWith(`${a}/`);
}

function tidy(path: string): string {
  return path
    .toLowerCase()
    .replace(/\/+(?:\.\/+)*/g, "/")
    .replace(/^(?:\.\/)+|^\.$/, "")
    .replace(/\/\.?$/, "");
}
