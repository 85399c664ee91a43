import type { ChildProcess } from "node:child_process";
import type * as fsp from "node:fs/promises";
import type { Spawner } from "../protocol/index.ts";
import type { Clock, Timer } from "./clock-port.ts";
import type { Http } from "./http-port.ts";

export type { Clock, Timer };

export interface Ids {
  /** A UUID, version 7: later ones sort behind earlier ones, also inside one millisecond. */
  uuid(): string;
  /** `prefix_` and 12 random characters of `[a-z0-9]`. */
  short(prefix: string): string;
}

/** The part of `node:fs/promises` that rooms use. A replacement may keep everything in memory. */
export type FileSystem = Pick<
  typeof fsp,
  | "access"
  | "chmod"
  | "link"
  | "lstat"
  | "mkdir"
  | "mkdtemp"
  | "open"
  | "opendir"
  | "readFile"
  | "readdir"
  | "readlink"
  | "realpath"
  | "rename"
  | "rm"
  | "rmdir"
  | "stat"
  | "symlink"
  | "truncate"
  | "unlink"
  | "utimes"
  | "writeFile"
>;

/** Starts a program without a shell; `spawner()` is what tools get of it. */
export type Spawn = (
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** In a process group of its own. */
    readonly detached: boolean;
  },
) => ChildProcess;

/** Everything ambient that the SDK touches. Give `options.platform` to replace parts of it. */
export interface Platform {
  readonly clock: Clock;
  readonly ids: Ids;
  /** At least 0, less than 1. */
  random(): number;
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly http: Http;
  /** Process groups for tools, over `spawn`. */
  spawner(env: Readonly<Record<string, string>>): Spawner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly os: NodeJS.Platform;
  readonly pid: number;
  homedir(): string;
  tmpdir(): string;
  cwd(): string;
  /** SHA-256 in hex. */
  sha256(bytes: Uint8Array | string): string;
}
