import { compilePart } from "./compile-part.ts";
import { foldCase } from "./fold-name.ts";
import { below, namesOf, type PathLibrary } from "./path-rules.ts";
import type { Place } from "./working-directories.ts";

/** A directory whose loss is never a detail, and what to call it. */
export interface Root {
  readonly place: Place;
  readonly what: string;
}

const SYSTEM_FOLDERS = [
  "Applications",
  "Library",
  "System",
  "Users",
  "Volumes",
  "bin",
  "boot",
  "cores",
  "dev",
  "etc",
  "home",
  "lib",
  "lib32",
  "lib64",
  "libx32",
  "media",
  "mnt",
  "nix",
  "opt",
  "private",
  "proc",
  "root",
  "run",
  "sbin",
  "snap",
  "srv",
  "sys",
  "tmp",
  "usr",
  "var",
].map((name) => `/${name}`);

const WINDOWS_FOLDERS = ["Windows", "Users", "Program Files", "Program Files (x86)", "ProgramData"].map(
  (name) => `C:\\${name}`,
);

/** The top-level directories of a system; `/` needs no entry, it is above each. */
export function systemRoots(library: PathLibrary): readonly Root[] {
  return (library.sep === "\\" ? WINDOWS_FOLDERS : SYSTEM_FOLDERS).map((folder) => ({
    place: { given: folder, real: folder, hops: [] },
    what: `the system directory ${folder}`,
  }));
}

/** Why a removal of `path` would take one of the roots with it: it is one, or lies above one. */
export function removesRoot(library: PathLibrary, roots: readonly Root[], path: string): string | undefined {
  const folded = foldCase(path);
  if (library.parse(path).root === path) return `it is the root of the disk, ${path}`;
  let above: Root | undefined;
  for (const root of roots) {
    for (const form of [root.place.given, root.place.real]) {
      const rest = below(library, folded, foldCase(form));
      if (rest === "") return `it is ${root.what}`;
      if (rest !== undefined) above ??= root;
    }
  }
  return above === undefined ? undefined : `it holds ${above.what}`;
}

/** Why a removal of what a pattern matches may take a root, or all that lies in one. By the text alone. */
export function globRemovesRoot(
  library: PathLibrary,
  roots: readonly Root[],
  prefix: string,
  rest: readonly string[],
): string | undefined {
  if (rest.includes("..")) return "its pattern goes up again behind a wildcard";
  const inRoot = removesRoot(library, roots, prefix);
  if (inRoot !== undefined && rest.every(isBroad)) {
    return `its pattern means all there is in ${prefix}, and ${inRoot.replace("it", "that")}`;
  }
  const start = namesOf(library, prefix).map(foldCase);
  // What ends in `/*` takes all there is in whatever stands in front of it.
  const named = rest.slice(0, rest.findLastIndex((part) => !isBroad(part)) + 1);
  const wide = named.indexOf("**");
  const parts = (wide < 0 ? named : named.slice(0, wide)).map((part) =>
    compilePart(part, { hidden: true, fold: true }),
  );
  const hit = roots.find(({ place }) =>
    [place.given, place.real].some((form) => {
      const names = namesOf(library, foldCase(form));
      const depth = start.length + parts.length;
      if (names.length < depth || (wide >= 0 && names.length === depth)) return false;
      const matched = parts.every((isMeant, i) => isMeant(names[start.length + i] ?? ""));
      return matched && start.every((name, i) => name === names[i]);
    }),
  );
  return hit === undefined ? undefined : `its pattern could match ${hit.what} or a directory above it`;
}

/** Whether a part of a pattern matches just about every name, or just about every hidden one. */
function isBroad(part: string): boolean {
  const isMeant = compilePart(part);
  return (isMeant("qzx-17.w") && isMeant("Wm_2")) || (isMeant(".qzx-17.w") && isMeant(".Wm_2"));
}
