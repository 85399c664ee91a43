import type { Platform } from "../platform/index.ts";
import type { ProtectedName } from "../protocol/index.ts";
import { compilePart } from "./compile-part.ts";
import { namesOf, type PathLibrary } from "./path-rules.ts";
import { PROTECTED_NAMES, protectedIn } from "./protected-names.ts";

/** Entries that are looked at before a pattern counts as too wide to see through. */
const MOST_ENTRIES = 4096;

export interface GlobMatches {
  /** A match, or a directory on the way to one, is a link that leads out; or there are too many to tell. */
  readonly leadsOut: boolean;
  readonly protected?: ProtectedName;
  /** The directories among the matches, and links, which may lead to one. Absent: not all are known. */
  readonly directories?: readonly string[];
}

/**
 * Looks at what a pattern matches now.
 *
 * @param directory the literal directory in front of it, links followed.
 * @param rest the parts from the first wildcard on.
 * @param isInside whether a resolved path lies in a working directory.
 */
export async function lookAtMatches(
  platform: Pick<Platform, "fs">,
  library: PathLibrary,
  directory: string,
  rest: readonly string[],
  isInside: (real: string) => boolean,
): Promise<GlobMatches> {
  const depth = namesOf(library, directory).length;
  let found = rest.map(couldBeProtected).find((name) => name !== undefined);
  // `**` is `*` for a plain bash and a whole tree for others.
  let leadsOut = rest.includes("**") || rest.includes("..");
  let entries = 0;
  let folders = [directory];
  for (const part of rest) {
    const isMeant = compilePart(part);
    const next: string[] = [];
    for (const folder of folders) {
      const listed = await platform.fs.readdir(folder, { withFileTypes: true }).catch(() => []);
      entries += listed.length;
      if (entries > MOST_ENTRIES) return { leadsOut: true, ...(found && { protected: found }) };
      for (const each of listed) {
        if (!isMeant(each.name)) continue;
        const path = library.join(folder, each.name);
        found ??= protectedIn(namesOf(library, path), depth);
        if (each.isDirectory() || each.isSymbolicLink()) next.push(path);
        if (!each.isSymbolicLink()) continue;
        const real = await platform.fs.realpath(path).catch(() => undefined);
        if (real === undefined || !isInside(real)) leadsOut = true;
      }
    }
    folders = next;
  }
  const isPlain = !rest.includes("**") && !rest.includes("..");
  return { leadsOut, ...(found && { protected: found }), ...(isPlain && { directories: folders }) };
}

/** A pattern that spells out a part of a protected name (`.g*`) counts without a file there. */
function couldBeProtected(part: string): ProtectedName | undefined {
  const letters = part.replace(/[*?]|\[[^\]]*\]/g, "");
  if (!/[a-z]/i.test(letters)) return undefined;
  const isMeant = compilePart(part, { fold: true });
  const hit = PROTECTED_NAMES.find((each) => each.at === "any" && each.parts.some(isMeant));
  return hit === undefined ? undefined : { name: hit.name, loaded: hit.loaded };
}
