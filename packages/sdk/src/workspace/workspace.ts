import type { Platform } from "../platform/index.ts";
import type { PathResolution, ResolvedTarget, Target } from "../protocol/index.ts";
import { isCaseInsensitive } from "./case-probe.ts";
import { keptPlaces } from "./kept-places.ts";
import { withoutShares } from "./local-files.ts";
import { ownRepository } from "./own-repository.ts";
import { pathLibrary } from "./path-rules.ts";
import { expandHome, type Ground, resolvePath } from "./resolve-path.ts";
import { resolveTargets } from "./resolve-targets.ts";
import { withRepository } from "./with-repository.ts";
import { createPlaces, type Place } from "./working-directories.ts";

/** Turns what tools declare into what is judged. Looks at the disk, and decides nothing. */
export interface Workspace {
  /** Absolute, as it was given. */
  readonly startDirectory: string;
  /** The same with links followed, as it was when the workspace was made. */
  readonly startDirectoryReal: string;
  /** The disk finds a file under its name in another letter case too. */
  readonly caseInsensitive: boolean;
  /**
   * Resolves the path targets, in order, and finds the repository of commands that need one; others pass as they are.
   *
   * @param shellCwd absolute directory in which relative paths start.
   * @throws AbortError when `signal` has fired.
   */
  resolveTargets(
    targets: readonly Target[],
    shellCwd: string,
    signal: AbortSignal,
  ): Promise<readonly ResolvedTarget[]>;
  /** Every fact of one path; relative ones start at the start directory. */
  resolvePath(path: string): Promise<PathResolution>;
  /** Whether the path, with links followed and without, lies in a working directory. */
  isInside(path: string): Promise<boolean>;
}

export interface WorkspaceOptions {
  readonly platform: Platform;
  /** Absolute. */
  readonly startDirectory: string;
  readonly home: string;
  /** The person's own home, where `home` is another: it is not removed unasked either. */
  readonly ownHome?: string;
  /** Files and folders of the stores, absolute: what changes them is protected. Default: none. */
  readonly kept?: readonly string[];
  /** Variables that the shell will have. Default: those of the platform. Looked at only for lines that run git. */
  environment?(): Readonly<Record<string, string | undefined>>;
  /** Read again for every call; each is absolute, or relative to the start directory. */
  additionalDirectories(): readonly string[];
}

/**
 * Looks at the start directory once: its links and the case rule of its disk stay as they are now.
 *
 * @throws nothing; a start directory that is missing shows in the resolutions.
 */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { startDirectory } = options;
  const platform = withoutShares(options.platform);
  const library = pathLibrary(platform.os);
  const place = createPlaces(platform, library, startDirectory);
  const start = await place(startDirectory);
  const caseInsensitive = await isCaseInsensitive(platform, library, start.real);

  return new RealWorkspace({ options, platform, library, place, start, caseInsensitive });
}

interface Foundation {
  readonly options: WorkspaceOptions;
  readonly platform: Platform;
  readonly library: ReturnType<typeof pathLibrary>;
  readonly place: ReturnType<typeof createPlaces>;
  readonly start: Awaited<ReturnType<ReturnType<typeof createPlaces>>>;
  readonly caseInsensitive: boolean;
}

class RealWorkspace implements Workspace {
  readonly startDirectory: string;
  readonly startDirectoryReal: string;
  readonly caseInsensitive: boolean;
  readonly #on: Foundation;
  /** Found when a call first changes something, and then kept. */
  #kept: readonly Place[] | undefined;

  constructor(on: Foundation) {
    this.startDirectory = on.start.given;
    this.startDirectoryReal = on.start.real;
    this.caseInsensitive = on.caseInsensitive;
    this.#on = on;
  }

  async resolvePath(path: string): Promise<PathResolution> {
    return resolvePath(await this.#groundNow(), path, this.startDirectory);
  }

  async isInside(path: string): Promise<boolean> {
    return (await this.resolvePath(path)).inside;
  }

  async resolveTargets(
    targets: readonly Target[],
    shellCwd: string,
    signal: AbortSignal,
  ): Promise<readonly ResolvedTarget[]> {
    const { options, platform, library, place } = this.#on;
    const known = await withRepository(targets, () =>
      ownRepository(platform, library, shellCwd, options.environment?.() ?? platform.env),
    );
    if (!known.some((target) => target.kind === "path")) return known as readonly ResolvedTarget[];
    const homes = [options.home, ...(options.ownHome === undefined ? [] : [options.ownHome])];
    const [ground, homePlaces] = await Promise.all([this.#groundNow(), Promise.all(homes.map(place))]);
    return resolveTargets({ ...ground, homePlaces, shellCwd, kept: () => this.#keptPlaces() }, known, signal);
  }

  async #keptPlaces(): Promise<readonly Place[]> {
    const { options, platform, library } = this.#on;
    const { kept = [], startDirectory } = options;
    this.#kept ??= await keptPlaces(platform, library, kept, startDirectory);
    return this.#kept;
  }

  async #groundNow(): Promise<Ground> {
    const { options, platform, library, place, start, caseInsensitive } = this.#on;
    const { home } = options;
    const added = options.additionalDirectories().map((each) => place(expandHome({ library, home }, each)));
    return { platform, library, home, start, added: await Promise.all(added), caseInsensitive };
  }
}
