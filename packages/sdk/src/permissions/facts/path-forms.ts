import { isFreeDevice, type PathResolution, type ResolvedPathTarget } from "../../protocol/index.ts";
import { type PathForm, pathForm } from "../policy/path-index.ts";
import { componentsOf, foldPath } from "../rule/fold.ts";
import { DEEP, parseSegment, type Segment } from "../rule/segment.ts";

/**
 * Deny and ask hit on every form of a path: as given, each hop, and with all links followed. The first thing that `look`
 * finds for one of them; most paths have one form, so that no list of them is made.
 */
export function firstForm<T>(
  { given, real, hops, directory }: PathResolution,
  look: (form: PathForm) => T | undefined,
): T | undefined {
  let found = look(pathForm(given, true, directory));
  for (const hop of hops) if (hop !== given) found ??= look(pathForm(hop, true, directory));
  if (real !== undefined && real !== given) found ??= look(pathForm(real, true, directory));
  return found;
}

/** Allow needs the path as given and with all links followed; undefined where the latter is not known. */
export function grantingForms(resolution: PathResolution, folded: boolean): PathForm[] | undefined {
  const { given, real, directory } = resolution;
  if (real === undefined) return undefined;
  const form = pathForm(given, folded, directory);
  return real === given ? [form] : [form, pathForm(real, folded, directory)];
}

/** Streams that no path rule, safety check or working directory is about. */
export function isFreeTarget(target: ResolvedPathTarget): boolean {
  if (target.unknown || target.glob || target.resolutions.length === 0) return false;
  return target.resolutions.every(({ given }) => isFreeDevice(given));
}

/** A whole tree is touched, not only the path itself. */
export function reachesBelow(target: ResolvedPathTarget, resolution: PathResolution): boolean {
  if (target.recursive || target.access === "walk") return true;
  if (resolution.directory !== true) return false;
  // A directory that is moved, linked or removed takes along what is in it.
  return target.access === "remove" || (target.access === "read" && target.shell !== undefined);
}

/**
 * The paths that a shell pattern or a tree may stand for, as folded components, one list for each form.
 * The resolution of a pattern is that of the literal directory in front of it.
 */
export function describedPaths(target: ResolvedPathTarget, resolution: PathResolution): Segment[][] {
  const { given, real, hops } = resolution;
  const forms = [given, ...hops];
  if (real !== undefined && real !== given) forms.push(real);
  const rest = target.glob === true ? globRest(target.path) : [];
  if (rest.includes("..")) return [[DEEP]];
  const tail = rest.map((part) => parseSegment(foldPath(part), false));
  if (reachesBelow(target, resolution)) tail.push(DEEP);
  return forms.map((form) => [...literalComponents(form), ...tail]);
}

function literalComponents(path: string): Segment[] {
  return componentsOf(foldPath(path)).map((text): Segment => ({ kind: "literal", text }));
}

/** The parts of a shell pattern from the first wildcard on. */
function globRest(pattern: string): string[] {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?[]/u.test(part.replace(/\\./gu, "")));
  return parts.slice(first < 0 ? parts.length - 1 : first).filter((part) => part !== "" && part !== ".");
}
