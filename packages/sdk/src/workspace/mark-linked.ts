import type { PathResolution, ResolvedPathTarget, ResolvedTarget, ShellLink } from "../protocol/index.ts";
import { foldCase } from "./fold-name.ts";
import { holdsLink } from "./holds-link.ts";
import { below } from "./path-rules.ts";
import { expandHome, type Ground, resolvePath } from "./resolve-path.ts";
import { findPlace } from "./working-directories.ts";

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
  const places = new Map<ShellLink, Promise<readonly string[]>>();
  const placesOf = (link: ShellLink): Promise<readonly string[]> => {
    const known = places.get(link) ?? formsOfLink(ground, link, targets);
    places.set(link, known);
    return known;
  };
  const marked: ResolvedTarget[] = [];
  for (const target of targets) {
    const links = target.kind === "path" ? (target.links ?? []) : [];
    let isLinked = false;
    for (const link of links) {
      if (target.kind !== "path" || isLinked) break;
      isLinked = meets(ground, target, await placesOf(link));
    }
    marked.push(target.kind === "path" && isLinked ? { ...target, unknown: true, linked: true } : target);
  }
  return marked;
}

/** Where the link may really lie, each way to name it. Empty: nothing that is copied there is a link. */
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
    forms.push(...formsOf(await resolvePath(ground, link.path, start)));
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

function meets(ground: LinkGround, target: ResolvedPathTarget, links: readonly string[]): boolean {
  const { library } = ground;
  return target.resolutions.some((resolution) =>
    formsOf(resolution).some((form) =>
      links.some((link) => {
        const [own, other] = [foldCase(form), foldCase(link)];
        if (below(library, other, own) !== undefined) return true;
        // Of a pattern only what stands in front of it is known.
        return target.glob === true && below(library, own, other) !== undefined;
      }),
    ),
  );
}

function formsOf({ given, real, hops }: PathResolution): readonly string[] {
  return [given, ...(real === undefined ? [] : [real]), ...hops];
}
