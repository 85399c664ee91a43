import type { JsonObject, JsonValue } from "../protocol/index.ts";
import { canonical, plainInput } from "./hash-input.ts";

/** The keys that lead to a value, from the input down. */
export type Place = readonly string[];

/** Where a redactor took something out of an input. */
export function redactedPlaces(real: JsonValue, shown: JsonValue, place: Place = []): readonly Place[] {
  if (isSame(real, shown)) return [];
  if (!isTree(real) || !isTree(shown) || Array.isArray(real) !== Array.isArray(shown)) return [place];
  if (Array.isArray(real) && real.length !== (shown as JsonValue[]).length) return [place];
  const keys = new Set([...Object.keys(real), ...Object.keys(shown)]);
  return [...keys].flatMap((key) => {
    const [own, other] = [at(real, [key]), at(shown, [key])];
    const below = [...place, key];
    return own === undefined || other === undefined ? [below] : redactedPlaces(own, other, below);
  });
}

/**
 * Whether an edit leaves alone what it cannot know: each place where something was taken out is as it was shown, or gone
 * with what held it, and no such text was carried elsewhere.
 */
export function leavesRedacted(edit: JsonObject, shown: JsonObject, places: readonly Place[]): boolean {
  const taken = new Set(places.flatMap((place) => textsIn(at(shown, place))));
  const strays = textsIn(edit, (place) => places.some((each) => isBelow(place, each)));
  if (strays.some((text) => taken.has(text))) return false;
  return places.every((place) => {
    const held = place.length === 0 ? edit : at(edit, place.slice(0, -1));
    const now = at(edit, place);
    return held === undefined || now === undefined || isSame(now, at(shown, place));
  });
}

/** The edit with what it left alone as it really is. */
export function restored(edit: JsonObject, real: JsonObject, shown: JsonObject): JsonObject | undefined {
  const places = redactedPlaces(real, shown);
  if (!leavesRedacted(edit, shown, places)) return undefined;
  const copy = plainInput(edit);
  for (const place of places) {
    const key = place.at(-1);
    if (key === undefined) return real;
    const holder = at(copy, place.slice(0, -1));
    const isGone = at(edit, place) === undefined && at(shown, place) !== undefined;
    const value = at(real, place);
    if (!isTree(holder) || isGone) continue;
    if (value === undefined) delete (holder as Record<string, JsonValue>)[key];
    else {
      const entry = { value, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(holder, key, entry);
    }
  }
  return copy;
}

function at(value: JsonValue | undefined, place: Place): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of place) {
    if (!isTree(found) || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, JsonValue>)[key];
  }
  return found;
}

/** Every text in it, but for those that `skipped` leaves out by their place. */
function textsIn(
  value: JsonValue | undefined,
  skipped: (place: Place) => boolean = () => false,
  place: Place = [],
): string[] {
  if (skipped(place)) return [];
  if (typeof value === "string") return value === "" ? [] : [value];
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, skipped, [...place, key]));
}

function isBelow(place: Place, above: Place): boolean {
  return above.every((key, i) => place[i] === key);
}

function isTree(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === "object" && value !== null;
}

function isSame(one: JsonValue, other: JsonValue | undefined): boolean {
  return other !== undefined && canonical(one) === canonical(other);
}
