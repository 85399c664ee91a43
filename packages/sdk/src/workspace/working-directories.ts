import type { Platform } from "../platform/index.ts";
import type { PathResolution } from "../protocol/index.ts";
import { foldCase } from "./fold-name.ts";
import { followLinks } from "./follow-links.ts";
import { below, type PathLibrary } from "./path-rules.ts";
import { realNow } from "./real-forms.ts";

/** A directory as it was named and as it really lies. */
export interface Place {
  readonly given: string;
  /** `given` where the links could not be followed. */
  readonly real: string;
  /** The forms between the two. */
  readonly hops: readonly string[];
}

/** Follows the links of a directory. */
export async function findPlace(
  platform: Platform,
  library: PathLibrary,
  directory: string,
  base: string,
): Promise<Place> {
  const given = library.resolve(base, directory);
  // Not the clean form: `..` is taken after links.
  const raw = library.isAbsolute(directory) ? directory : base + library.sep + directory;
  const { real = given, hops } = await followLinks(platform, library, raw, base);
  return { given, real, hops: hops.filter((hop) => hop !== given && hop !== real) };
}

/**
 * Places by name, looked up once and then kept: a link that is turned elsewhere later
 * does not take the working directory with it.
 */
export function createPlaces(
  platform: Platform,
  library: PathLibrary,
  base: string,
): (name: string) => Promise<Place> {
  const known = new Map<string, Promise<Place>>();
  return (name) => {
    const found = known.get(name) ?? Promise.resolve(placeNow(platform, library, name, base));
    known.set(name, found);
    return found;
  };
}

/** As `findPlace`. The usual case is at hand: the system gives back the very path, so that no part of it is a link. */
export function placeNow(
  platform: Platform,
  library: PathLibrary,
  name: string,
  base: string,
): Place | Promise<Place> {
  const given = library.resolve(base, name);
  return given === name && realNow(platform.fs, given) === given
    ? { given, real: given, hops: [] }
    : findPlace(platform, library, name, base);
}

/** Each way to name it, letter case taken away. */
export function foldedForms({
  given,
  real,
  hops,
}: Pick<PathResolution, "given" | "real" | "hops">): readonly string[] {
  return [given, ...(real === undefined ? [] : [real]), ...hops].map(foldCase);
}

/** Whether a path is one of the places or lies in one, in either of their forms. */
export function isIn(
  library: PathLibrary,
  places: readonly Place[],
  path: string,
  caseInsensitive: boolean,
): boolean {
  const fold = caseInsensitive ? foldCase : (text: string) => text;
  const folded = fold(path);
  return places.some(
    (place) =>
      below(library, fold(place.given), folded) !== undefined ||
      below(library, fold(place.real), folded) !== undefined,
  );
}
