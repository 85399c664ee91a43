import type { PathResolution, ProtectedName, ResolvedPathTarget, ResolvedTarget } from "../protocol/index.ts";
import { withResolutions } from "../protocol/index.ts";
import { compilePart } from "./compile-part.ts";
import { cutGlob } from "./glob-operand.ts";
import { below, namesOf, type PathLibrary } from "./path-rules.ts";
import { foldedForms, type Place } from "./working-directories.ts";

interface KeptGround {
  readonly library: PathLibrary;
  /** Where the stores keep things, each with its links followed. */
  kept(): Promise<readonly Place[]>;
}

/**
 * Marks what would change what the stores keep, wherever their home lies and whatever it is called: decisions about
 * calls, the log, the key. A path is compared in every form; names are folded, so that rather too much counts.
 */
export async function markKept(
  ground: KeptGround,
  targets: readonly ResolvedTarget[],
): Promise<readonly ResolvedTarget[]> {
  if (!targets.some(changes)) return targets;
  const places = await ground.kept();
  if (places.length === 0) return targets;
  return targets.map((target) => {
    if (!changes(target)) return target;
    const marked = target.resolutions.map((found) => withMark(ground.library, places, target, found));
    return marked.every((found, i) => found === target.resolutions[i])
      ? target
      : withResolutions(target, marked);
  });
}

function changes(target: ResolvedTarget): target is ResolvedPathTarget {
  return target.kind === "path" && (target.access === "write" || target.access === "remove");
}

function withMark(
  library: PathLibrary,
  places: readonly Place[],
  target: ResolvedPathTarget,
  found: PathResolution,
): PathResolution {
  if (found.protected?.loaded === true) return found;
  const forms = foldedForms(found);
  const place = places.find((each) => isTouched(library, foldedForms(each), target, forms));
  return place === undefined ? found : { ...found, protected: nameOf(place) };
}

function nameOf({ given }: Place): ProtectedName {
  return { name: given, loaded: true, kept: true };
}

function isTouched(
  library: PathLibrary,
  kept: readonly string[],
  target: ResolvedPathTarget,
  forms: readonly string[],
): boolean {
  const rest = target.glob === true ? cutGlob(target.path).rest : undefined;
  const takesTree = target.access === "remove" || target.recursive === true;
  return forms.some((form) =>
    kept.some((each) => {
      if (below(library, each, form) !== undefined) return true;
      const inside = below(library, form, each);
      if (inside === undefined) return false;
      return rest === undefined
        ? takesTree
        : mayMatch(namesOf(library, library.sep + inside), rest, takesTree);
    }),
  );
}

/** Whether a pattern may lead to the names, or to a folder above them whose tree is taken. */
function mayMatch(names: readonly string[], rest: readonly string[], takesTree: boolean): boolean {
  for (const [i, part] of rest.entries()) {
    if (part === "**" || part === "..") return true;
    const name = names[i];
    // The pattern goes on below what is kept.
    if (name === undefined) return true;
    if (!compilePart(part, { fold: true })(name)) return false;
  }
  return takesTree || rest.length >= names.length;
}
