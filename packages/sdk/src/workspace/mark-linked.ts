import type { ResolvedPathTarget, ResolvedTarget, ShellLink } from "../protocol/index.ts";
import { holdsLink } from "./holds-link.ts";
import { below, type PathLibrary } from "./path-rules.ts";
import { expandHome, type Ground, resolvePath } from "./resolve-path.ts";
import { findPlace, foldedForms } from "./working-directories.ts";

interface LinkGround extends Ground {
  readonly shellCwd: string;
}

/**
 * Marks what may lie behind a link that the same line makes, by where things really are: a link that was there
 * before may lead to the new one. Such a path is unknown, whatever the disk says now.
 */
export async function markLinked(
  ground: LinkGround,
  targets: readonly ResolvedTarget[],
): Promise<readonly ResolvedTarget[]> {
  if (!targets.some(mayBeLinked)) return targets;
  const places = new Map<ShellLink, Promise<readonly string[]>>();
  const placesOf = (link: ShellLink): Promise<readonly string[]> => {
    const known = places.get(link) ?? formsOfLink(ground, link, targets);
    places.set(link, known);
    return known;
  };
  const marked: ResolvedTarget[] = [];
  for (const target of targets) {
    const isLinked = mayBeLinked(target) && (await liesBehind(ground, target, placesOf));
    marked.push(isLinked ? { ...target, unknown: true, linked: true } : target);
  }
  return marked;
}

type LinkedTarget = ResolvedPathTarget & { readonly links: readonly ShellLink[] };

function mayBeLinked(target: ResolvedTarget): target is LinkedTarget {
  return target.kind === "path" && target.links !== undefined;
}

async function liesBehind(
  { library }: LinkGround,
  target: LinkedTarget,
  placesOf: (link: ShellLink) => Promise<readonly string[]>,
): Promise<boolean> {
  const own = target.resolutions.flatMap(foldedForms);
  for (const link of target.links) {
    const others = await placesOf(link);
    if (own.some((form) => others.some((other) => meets(library, form, other, target.glob === true)))) {
      return true;
    }
  }
  return false;
}

/** Where the link may really lie, each way to name it, letter case taken away. Empty: nothing that is copied there is a link. */
async function formsOfLink(
  ground: LinkGround,
  link: ShellLink,
  targets: readonly ResolvedTarget[],
): Promise<readonly string[]> {
  if (link.path === undefined) return [];
  if (link.copied === true && !(await copiesLink(ground, link.command, targets))) return [];
  const forms: string[] = [];
  for (const from of link.from ?? [""]) {
    const start =
      from === ""
        ? ground.shellCwd
        : (await findPlace(ground.platform, ground.library, expandHome(ground, from), ground.shellCwd)).real;
    forms.push(...foldedForms(await resolvePath(ground, link.path, start)));
  }
  return forms;
}

/** Whether what a command copies or moves is a link or holds one, as far as that can be told. */
async function copiesLink(
  { platform, library }: LinkGround,
  command: number,
  targets: readonly ResolvedTarget[],
): Promise<boolean> {
  const sources = targets.filter(
    (target): target is ResolvedPathTarget =>
      target.kind === "path" && target.shell?.command === command && target.access !== "write",
  );
  if (sources.length === 0) return true;
  const trees: string[] = [];
  for (const { unknown, glob, resolutions } of sources) {
    if (unknown === true || glob === true) return true;
    for (const { given, real, exists, directory } of resolutions) {
      if (real === undefined) return true;
      const stands = await platform.fs.lstat(given).catch(() => undefined);
      if (stands?.isSymbolicLink() === true || (exists && stands === undefined)) return true;
      // What the line itself makes before is no link, or is one that is known.
      if (directory === true) trees.push(real);
    }
  }
  return holdsLink(platform, library, trees);
}

function meets(library: PathLibrary, form: string, link: string, isPattern: boolean): boolean {
  if (below(library, link, form) !== undefined) return true;
  // Of a pattern only what stands in front of it is known.
  return isPattern && below(library, form, link) !== undefined;
}
