import type { Stats } from "node:fs";
import type { Platform } from "../platform/index.ts";
import { below, namesOf, type PathLibrary } from "./path-rules.ts";

/** Variables that make git take another repository, or parts of one, than the nearest upward. */
const POINTS_ELSEWHERE: ReadonlySet<string> = new Set([
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_INDEX_FILE",
  "GIT_NAMESPACE",
  "GIT_REPLACE_REF_BASE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_ATTR_SOURCE",
]);
/** Any of these beside a HEAD: git may take the folder for a repository and run what its config says. */
const BARE_SIGNS: readonly string[] = ["objects", "refs", "commondir"];
/** Longer than any file that leads to a repository. */
const MOST_LINK_BYTES = 4096;

type Disk = Pick<Platform, "fs">;

/**
 * The root of the repository that git would surely take from a directory: the nearest folder upward with a
 * `.git`, and neither it nor a folder on the way looks like a bare repository. Undefined where anything about that is
 * not certain. Never throws.
 *
 * @param directory absolute; links are followed.
 * @param environment of the process that will run git.
 */
export async function ownRepository(
  { fs }: Disk,
  library: PathLibrary,
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (Object.keys(environment).some((name) => POINTS_ELSEWHERE.has(name.toUpperCase()))) return undefined;
  try {
    for (let folder = await fs.realpath(directory); ; folder = library.dirname(folder)) {
      if (await looksBare({ fs }, library, folder)) return undefined;
      if (await isThere({ fs }, library.join(folder, ".git"))) {
        return (await hasGuardedRepository({ fs }, library, folder)) ? folder : undefined;
      }
      if (library.dirname(folder) === folder) return undefined;
    }
  } catch {
    return undefined;
  }
}

/** @throws where the disk does not tell. */
async function isThere({ fs }: Disk, path: string): Promise<boolean> {
  try {
    await fs.lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}

async function looksBare(disk: Disk, library: PathLibrary, folder: string): Promise<boolean> {
  if (!(await isThere(disk, library.join(folder, "HEAD")))) return false;
  for (const sign of BARE_SIGNS) if (await isThere(disk, library.join(folder, sign))) return true;
  return false;
}

/**
 * Whether the `.git` of a folder is a repository whose files are protected by their path: it is a folder itself, or
 * leads to one below some `.git` (a worktree, a submodule).
 */
async function hasGuardedRepository({ fs }: Disk, library: PathLibrary, folder: string): Promise<boolean> {
  const mark = library.join(folder, ".git");
  const place = await fs.realpath(mark);
  const stats = await fs.lstat(place);
  const told = stats.isDirectory() ? place : await linkedPlace({ fs }, library, place, stats);
  if (told === undefined || !(await isThere({ fs }, library.join(told, "HEAD")))) return false;
  return namesOf(library, below(library, folder, told) ?? told).includes(".git");
}

/** The folder that a `.git` file names. */
async function linkedPlace(
  { fs }: Disk,
  library: PathLibrary,
  file: string,
  stats: Stats,
): Promise<string | undefined> {
  if (!stats.isFile() || stats.size > MOST_LINK_BYTES) return undefined;
  const named = /^gitdir: (.+?)[\r\n]*$/s.exec(await fs.readFile(file, "utf8"))?.[1];
  return named === undefined ? undefined : fs.realpath(library.resolve(library.dirname(file), named));
}
