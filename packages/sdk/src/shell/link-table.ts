import type { ShellLink } from "../protocol/index.ts";
import { placesOf } from "./places.ts";

/** Places that may be links, so that a path is compared with all of them at once. */
interface Places {
  /** One of them may be anywhere. */
  any: boolean;
  readonly whole: Set<string>;
  readonly relative: Set<string>;
  /** How long they are: no place of another length is above a path or the path itself. */
  readonly lengths: Set<number>;
}

/** All links of a line so far. Where one of two directories is not known, both count as the same. */
interface LinkTable {
  /** A link whose place is not known at all. */
  unknown: boolean;
  /** As they are written. */
  readonly written: Places;
  /** The same, of links that stand in a directory that is not known. */
  readonly adrift: Places;
  readonly placed: Places;
}

/** Of the last list. A link more is another list, which goes on where this one ends. */
let last: { readonly links: readonly ShellLink[]; readonly table: LinkTable } = {
  links: [],
  table: newTable(),
};

/** Whether a path may lead through one of the links, or be one. */
export function mayMeet(
  links: readonly ShellLink[],
  text: string,
  from: readonly string[] | undefined,
): boolean {
  const table = tableOf(links);
  if (table.unknown) return true;
  const own = placesOf(text, from);
  if (own === undefined) return meets(table.written, text);
  const { adrift, placed } = table;
  return meets(adrift, text) || own.some((place) => meets(placed, place));
}

function tableOf(links: readonly ShellLink[]): LinkTable {
  if (last.links === links) return last.table;
  const count = last.links.length;
  // No two links are the same object, so that lists which share one share all before it.
  const goesOn = count > 0 && last.links[count - 1] === links[count - 1];
  const table = goesOn ? last.table : newTable();
  for (const { path, from } of goesOn ? links.slice(count) : links) {
    if (path === undefined) {
      table.unknown = true;
      continue;
    }
    add(table.written, path);
    const places = placesOf(path, from);
    if (places === undefined) add(table.adrift, path);
    else for (const place of places) add(table.placed, place);
  }
  last = { links, table };
  return table;
}

function newTable(): LinkTable {
  return { unknown: false, written: newPlaces(), adrift: newPlaces(), placed: newPlaces() };
}

function newPlaces(): Places {
  return { any: false, whole: new Set(), relative: new Set(), lengths: new Set() };
}

function add(places: Places, text: string): void {
  const place = tidy(text);
  if (climbs(text) || place === "") places.any = true;
  (isRooted(text) ? places.whole : places.relative).add(place);
  places.lengths.add(place.length);
}

function meets(places: Places, text: string): boolean {
  if (places.lengths.size === 0) return false;
  // How `/x`, `~/x` and `x` lie to each other is not known, nor where `..` leads.
  if (places.any || (isRooted(text) ? places.relative : places.whole).size > 0 || climbs(text)) return true;
  const same = isRooted(text) ? places.whole : places.relative;
  const path = tidy(text);
  for (const length of places.lengths) {
    const ends = length === path.length || (length < path.length && path.charCodeAt(length) === SLASH);
    if (ends && same.has(path.slice(0, length))) return true;
  }
  return false;
}

const SLASH = 47;

function isRooted(text: string): boolean {
  return /^[/~]/.test(text);
}

function climbs(text: string): boolean {
  return text.includes("..") && /(?:^|\/)\.\.(?:\/|$)/.test(text);
}

const PLAIN = /^[\w-]+$/;

function tidy(path: string): string {
  const folded = path.toLowerCase();
  if (PLAIN.test(path)) return folded;
  return folded
    .replace(/\/+(?:\.\/+)*/g, "/")
    .replace(/^(?:\.\/)+|^\.$/, "")
    .replace(/\/\.?$/, "");
}
