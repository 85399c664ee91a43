import {
  AbortError,
  type PathResolution,
  type PathTarget,
  type ResolvedPathTarget,
  type ResolvedTarget,
  type Target,
  withResolutions,
} from "../protocol/index.ts";
import { shapesRepository } from "./bare-repository.ts";
import { lookAtMatches } from "./glob-matches.ts";
import { cutGlob } from "./glob-operand.ts";
import { holdsProtected, TOO_LARGE } from "./holds-protected.ts";
import { markKept } from "./mark-kept.ts";
import { markLinked } from "./mark-linked.ts";
import { namesOf } from "./path-rules.ts";
import { holdsByName } from "./protected-names.ts";
import { globRemovesRoot, type Root, removesRoot, systemRoots } from "./removes-root.ts";
import { repositoryRoot } from "./repository-root.ts";
import { expandHome, type Ground, resolvePath } from "./resolve-path.ts";
import { suspiciousText } from "./suspicious-text.ts";
import { findPlace, isIn, type Place } from "./working-directories.ts";

/** Facts of one call that do not change from target to target. */
export interface CallGround extends Ground {
  /** Where the stores keep things. */
  kept(): Promise<readonly Place[]>;
  readonly homePlaces: readonly Place[];
  readonly shellCwd: string;
}

interface ShellGround extends CallGround {
  /** Where the shell stands; its links are followed where something is removed. */
  readonly here: Place;
  /** Where `from` of a target leads: each is followed once a call. */
  readonly starts: Map<string, Promise<Place>>;
  /** The repository around a start, by its real path: each is looked for once a call. */
  readonly roots: Map<string, Promise<string | undefined>>;
}

/** Resolves every path target of a call, in order. Throws AbortError once `signal` has fired. */
export async function resolveTargets(
  call: CallGround,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<readonly ResolvedTarget[]> {
  const { platform, library, shellCwd } = call;
  const removes = targets.some((target) => target.kind === "path" && target.access === "remove");
  const here = removes
    ? await findPlace(platform, library, shellCwd, shellCwd)
    : { given: shellCwd, real: shellCwd, hops: [] };
  const ground: ShellGround = { ...call, here, starts: new Map(), roots: new Map() };
  const resolved: ResolvedTarget[] = [];
  for (const target of targets) {
    if (signal.aborted) throw new AbortError("Looking at the paths of a call was aborted.");
    resolved.push(target.kind === "path" ? await resolveOne(ground, target, targets) : target);
  }
  return markLinked(ground, await markKept(ground, await markRepositories(ground, resolved)));
}

async function resolveOne(
  ground: ShellGround,
  target: PathTarget,
  all: readonly Target[],
): Promise<ResolvedPathTarget> {
  if (target.unknown === true) return withResolutions(target, await guessesOf(ground, target, all));
  const starts = await startsOf(ground, target);
  if (starts === undefined) return withResolutions({ ...target, unknown: true }, []);
  const resolutions: PathResolution[] = [];
  for (const start of starts) {
    const plain = target.glob === true ? cutGlob(target.path) : undefined;
    const path = plain === undefined ? target.path : plain.prefix;
    const base = await resolvePath(ground, path, start.real, start.given);
    resolutions.push(
      plain === undefined
        ? await withTree(ground, target, base, start, all)
        : await withMatches(ground, target, base, start, plain.rest, all),
    );
  }
  return withResolutions(target, resolutions);
}

/** Places that an unknown path may mean, among others. */
async function guessesOf(
  ground: ShellGround,
  target: PathTarget,
  all: readonly Target[],
): Promise<readonly PathResolution[]> {
  const guesses: PathResolution[] = [];
  for (const path of target.maybe ?? []) {
    const found = await resolvePath(ground, path, ground.shellCwd);
    guesses.push(await withTree(ground, target, found, ground.here, all));
  }
  return guesses;
}

/** Where a relative path may start. Undefined: a repository's root is meant, and there is none. */
async function startsOf(ground: ShellGround, target: PathTarget): Promise<readonly Place[] | undefined> {
  const starts = await directoriesOf(ground, target);
  if (target.base === undefined) return starts;
  const roots: Place[] = [];
  for (const start of starts) {
    const root = await rootAround(ground, start);
    if (root === undefined) return undefined;
    roots.push({ given: root, real: root, hops: [] });
  }
  return roots;
}

/** Operands behind a `cd` start where it really leads; without one the directory stays as it is spelt. */
async function directoriesOf(ground: ShellGround, target: PathTarget): Promise<readonly Place[]> {
  const here: Place = { given: ground.shellCwd, real: ground.shellCwd, hops: [] };
  if (target.from === undefined || target.from.length === 0) return [here];
  return Promise.all(
    target.from.map((from) => {
      if (from === "") return here;
      return once(ground.starts, from, () =>
        findPlace(ground.platform, ground.library, expandHome(ground, from), ground.shellCwd),
      );
    }),
  );
}

/** `here` is as it is spelt; git asks the system where it stands. */
function rootAround({ platform, library, roots }: ShellGround, { real }: Place): Promise<string | undefined> {
  return once(roots, real, async () =>
    repositoryRoot(platform, library, (await findPlace(platform, library, real, real)).real),
  );
}

function once<V>(known: Map<string, Promise<V>>, key: string, find: () => Promise<V>): Promise<V> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

async function withTree(
  ground: ShellGround,
  target: PathTarget,
  found: PathResolution,
  start: Place,
  all: readonly Target[],
): Promise<PathResolution> {
  const { platform, library } = ground;
  const root = lostRoot(ground, target, found, start, (form, roots) => removesRoot(library, roots, form));
  const taken = target.access === "remove" ? holdsByName(namesOf(library, found.given)) : undefined;
  const holds =
    root === undefined && found.directory === true && movesTree(target, all)
      ? await holdsProtected(platform, library, [found.real ?? found.given])
      : undefined;
  return {
    ...found,
    ...(found.protected === undefined && taken !== undefined && { protected: taken }),
    ...(root !== undefined && { removesRoot: root }),
    ...(holds !== undefined && { holds }),
  };
}

/** A tree that is removed, moved, or copied: the same command writes somewhere too. */
function movesTree(target: PathTarget, all: readonly Target[]): boolean {
  if (target.access === "remove") return true;
  if (target.recursive !== true || target.shell === undefined || target.access === "write") return false;
  const { command } = target.shell;
  return all.some(
    (other) =>
      other.kind === "path" &&
      other.shell?.command === command &&
      other.shell.by === "operand" &&
      (other.access === "write" || other.access === "remove"),
  );
}

async function withMatches(
  ground: ShellGround,
  target: PathTarget,
  found: PathResolution,
  start: Place,
  rest: readonly string[],
  all: readonly Target[],
): Promise<PathResolution> {
  const { platform, library } = ground;
  const root = lostRoot(ground, target, found, start, (form, roots) =>
    globRemovesRoot(library, roots, form, rest),
  );
  // The clean form, and the other: a part in front of `..` counts too.
  const forms = [library.join(found.given, ...rest), [found.given, ...rest].join(library.sep)];
  const suspicious = found.suspicious ?? firstOf(forms, (form) => suspiciousText(library, form));
  const places = [ground.start, ...ground.added];
  const inside = (real: string): boolean => isIn(library, places, real, ground.caseInsensitive);
  const matches = await lookAtMatches(platform, library, found.real ?? found.given, rest, inside);
  const guarded = found.protected ?? matches.protected;
  const holds =
    root === undefined && movesTree(target, all)
      ? matches.directories === undefined
        ? TOO_LARGE
        : await holdsProtected(platform, library, matches.directories)
      : undefined;
  return {
    ...found,
    inside: found.inside && !matches.leadsOut,
    ...(guarded !== undefined && { protected: guarded }),
    ...(suspicious !== undefined && { suspicious }),
    ...(root !== undefined && { removesRoot: root }),
    ...(holds !== undefined && { holds }),
  };
}

/** What a removal would take, as `removes` says it of the path as given or of where it really is. */
function lostRoot(
  ground: ShellGround,
  target: PathTarget,
  found: PathResolution,
  start: Place,
  removes: (form: string, roots: readonly Root[]) => string | undefined,
): string | undefined {
  if (target.access !== "remove") return undefined;
  const roots = rootsOf(ground, start);
  return firstOf([found.given, found.real ?? found.given], (form) => removes(form, roots));
}

function rootsOf(ground: ShellGround, start: Place): Root[] {
  return [
    { place: ground.start, what: `the start directory ${ground.start.given}` },
    ...ground.added.map((place) => ({ place, what: `the working directory ${place.given}` })),
    { place: ground.here, what: `the current directory ${ground.shellCwd}` },
    { place: start, what: `the current directory ${start.given}` },
    ...ground.homePlaces.map((place) => ({ place, what: `the home directory ${place.given}` })),
    ...systemRoots(ground.library),
  ];
}

function firstOf(forms: readonly string[], why: (form: string) => string | undefined): string | undefined {
  return forms.map(why).find((text) => text !== undefined);
}

/** What one call writes counts together: three harmless names make a repository. */
async function markRepositories(
  ground: Ground,
  targets: readonly ResolvedTarget[],
): Promise<readonly ResolvedTarget[]> {
  const paths = targets.flatMap((target) =>
    target.kind === "path" && target.access === "write"
      ? target.resolutions.map((each) => each.real ?? each.given)
      : [],
  );
  const mark = async (found: PathResolution): Promise<PathResolution> => {
    const path = found.real ?? found.given;
    if (!(await shapesRepository(ground.platform, ground.library, path, paths))) return found;
    return { suspicious: "it makes its folder a bare git repository, or changes one", ...found };
  };
  return Promise.all(
    targets.map(async (target) =>
      target.kind === "path" && target.access === "write"
        ? withResolutions(target, await Promise.all(target.resolutions.map(mark)))
        : target,
    ),
  );
}
