import type { Stats } from "node:fs";
import type { Platform } from "../platform/index.ts";
import { isFreeDevice, type PathResolution, type ProtectedName } from "../protocol/index.ts";
import { followLinks } from "./follow-links.ts";
import { below, namesOf, type PathLibrary } from "./path-rules.ts";
import { protectedIn } from "./protected-names.ts";
import { suspiciousText } from "./suspicious-text.ts";
import { windowsForm } from "./windows-paths.ts";
import { isIn, type Place } from "./working-directories.ts";

/** What a path is judged against. */
export interface Ground {
  readonly platform: Platform;
  readonly library: PathLibrary;
  readonly home: string;
  readonly start: Place;
  readonly added: readonly Place[];
  readonly caseInsensitive: boolean;
}

interface Traced {
  readonly real?: string;
  readonly hops: readonly string[];
  readonly stats?: Stats;
  readonly exists: boolean;
}

/**
 * Every fact of one path. Never throws: what cannot be followed has no `real`.
 *
 * @param path absolute, `~`, `~/…`, or relative to `base`.
 * @param base where relative paths start, absolute; `spelt` is the same directory as the caller wrote it.
 */
export async function resolvePath(
  ground: Ground,
  path: string,
  base: string,
  spelt: string = base,
): Promise<PathResolution> {
  const { library } = ground;
  const text = expandHome(ground, path);
  const absolute = library.isAbsolute(text);
  const given = spell(ground, library.resolve(base, text));
  const raw = absolute ? text : base + library.sep + text;
  const traced = await trace(ground, raw, given, base);
  const forms = [
    ...traced.hops,
    ...(absolute ? [] : [library.resolve(spelt, text)]),
    ...[given, traced.real ?? given].map((form) => form.normalize("NFC")),
  ].filter((form) => form !== given && form !== traced.real);
  return assemble(ground, given, path, { ...traced, hops: [...new Set(forms)] });
}

/** `~` and `~/…` are the home, whoever wrote them. */
export function expandHome({ library, home }: Pick<Ground, "library" | "home">, path: string): string {
  if (path === "~") return home;
  const rest = path.startsWith("~/") || (library.sep === "\\" && path.startsWith("~\\"));
  return rest ? home + library.sep + path.slice(2) : path;
}

function spell({ library }: Ground, path: string): string {
  return library.sep === "\\" ? windowsForm(path) : path;
}

async function trace(ground: Ground, raw: string, given: string, base: string): Promise<Traced> {
  return (
    (await traceWithoutLinks(ground, raw, given)) ??
    followLinks(ground.platform, ground.library, spell(ground, raw), base)
  );
}

/** Two calls instead of one a part, where no link lies below the start directory. */
async function traceWithoutLinks(
  { platform, library, start }: Ground,
  raw: string,
  given: string,
): Promise<Traced | undefined> {
  // On Windows a link may lead to another machine, which must not be asked before the call is allowed.
  if (library.sep === "\\" || raw.includes("..") || /^\/(?:proc|dev)\//.test(given)) return undefined;
  const inside = below(library, start.given, given);
  const expected = inside === undefined ? given : library.join(start.real, inside);
  try {
    if ((await platform.fs.realpath(given)) !== expected) return undefined;
    const stats = await platform.fs.lstat(expected);
    if (stats.isSymbolicLink()) return undefined;
    const hops = inside === undefined ? [] : start.hops.map((hop) => library.join(hop, inside));
    return { real: expected, hops, stats, exists: true };
  } catch {
    return undefined;
  }
}

function assemble(ground: Ground, given: string, written: string, traced: Traced): PathResolution {
  const { library } = ground;
  const { real, hops, stats, exists } = traced;
  const forms = [...(real === undefined ? [] : [real]), ...hops, given];
  const suspicious = suspicion(library, written, forms, stats);
  const guarded = forms.map((form) => protectedForm(ground, form)).filter((name) => name !== undefined);
  const found = guarded.find((name) => name.loaded) ?? guarded[0];
  const places = [ground.start, ...ground.added];
  const inside =
    real !== undefined &&
    isIn(library, places, given, ground.caseInsensitive) &&
    isIn(library, places, real, ground.caseInsensitive);
  return {
    given,
    ...(real !== undefined && { real }),
    hops,
    exists,
    inside,
    ...(found && { protected: found }),
    ...(suspicious !== undefined && { suspicious }),
    ...(stats && { identity: { dev: stats.dev, ino: stats.ino }, directory: stats.isDirectory() }),
  };
}

function suspicion(
  library: PathLibrary,
  written: string,
  forms: readonly string[],
  stats: Stats | undefined,
): string | undefined {
  for (const form of forms) {
    const why = suspiciousText(library, form);
    if (why !== undefined) return why;
  }
  if (/\0/.test(written)) return "its name holds control or direction characters";
  const device = stats?.isCharacterDevice() === true || stats?.isBlockDevice() === true;
  return device && !isFreeDevice(forms[0] ?? "") ? "it is a device" : undefined;
}

/** In the start directory only what lies below it counts; everywhere else every part does. */
function protectedForm({ library, start }: Ground, form: string): ProtectedName | undefined {
  const names = namesOf(library, form);
  const home = [start.given, start.real].find((place) => below(library, place, form) !== undefined);
  return protectedIn(names, home === undefined ? 0 : namesOf(library, home).length);
}
