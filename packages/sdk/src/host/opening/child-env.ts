import { isAbsolute, resolve } from "node:path";
import type { Platform } from "../../platform/index.ts";
import type { SpawnedProcess, Spawner, SpawnRequest } from "../../protocol/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Programs that would wait for a person are told that nobody is there. */
const QUIET: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  TERM: "dumb",
};

/**
 * The environment of every process that a tool starts: the program's own, pagers and editors
 * neutralised, then what `options.env` adds or (with `undefined`) takes away. `HOME` is always the home that
 * paths are judged with: `~` must mean one place.
 */
export function childEnv(
  own: Variables,
  option: Variables | undefined,
  home: string,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [name, value] of [
    ...Object.entries(own),
    ...Object.entries(QUIET),
    ...Object.entries(option ?? {}),
    ["HOME", home] as const,
  ]) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

/** The home of a session and of every process of it. */
export interface SessionHome {
  /** Absolute: `HOME` of `options.env` where that is an absolute path, else the platform's. */
  readonly home: string;
  /** The platform's, where that is another one: deny and ask rules about `~` mean both. */
  readonly ownHome?: string;
}

export function sessionHome(platform: Pick<Platform, "homedir">, option: Variables | undefined): SessionHome {
  const own = platform.homedir();
  const given = option?.HOME ?? "";
  const home = isAbsolute(given) ? resolve(given) : own;
  return home === own ? { home } : { home, ownHome: own };
}

/** Starts a session's processes. Their environment is made when it is first asked for: most sessions start none. */
export function childSpawner(
  platform: Pick<Platform, "env" | "spawner">,
  option: Variables | undefined,
  home: string,
): Spawner {
  return new ChildSpawner(platform, option === undefined ? undefined : { ...option }, home);
}

/** A class, for its getter: each object that has one of its own gets a shape of its own with it. */
class ChildSpawner implements Spawner {
  readonly #platform: Pick<Platform, "env" | "spawner">;
  readonly #option: Variables | undefined;
  readonly #home: string;
  #made: Spawner | undefined;

  constructor(platform: Pick<Platform, "env" | "spawner">, option: Variables | undefined, home: string) {
    this.#platform = platform;
    this.#option = option;
    this.#home = home;
  }

  get env(): Spawner["env"] {
    return this.#spawner().env;
  }

  spawn(request: SpawnRequest): SpawnedProcess {
    return this.#spawner().spawn(request);
  }

  #spawner(): Spawner {
    this.#made ??= this.#platform.spawner(childEnv(this.#platform.env, this.#option, this.#home));
    return this.#made;
  }
}
